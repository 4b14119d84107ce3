made up                                                                 toy     
             2             1             1             0
pua                        3             3             3             0
(4I3)           (4I3)           
  1  3  4  4
  1  3  2
