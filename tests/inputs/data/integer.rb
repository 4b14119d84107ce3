made up                                                                 toy     
             3             1             1             1
iua                        3             3             3             0
(4I3)           (4I3)           (8I4)           
  1  3  4  4
  1  3  2
   7  -2   1
