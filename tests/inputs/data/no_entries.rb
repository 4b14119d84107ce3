made up                                                                 toy     
             1             1             0             0
rua                        2             2             0             0
(4I3)           (4I3)           (2E10.3)        
  1  1  1
