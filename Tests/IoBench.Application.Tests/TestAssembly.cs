// Many of these tests wait for a disk or another program, so twice as many run as a small machine has processors.
[assembly: CollectionBehavior(MaxParallelThreads = 4)]
