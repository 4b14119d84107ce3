"""What a target will take, told before anything is spent: jobs, time, disk, memory, downloads."""
