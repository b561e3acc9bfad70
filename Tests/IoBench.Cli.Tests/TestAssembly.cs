// Most of these tests wait for a program that they started, so twice as many run as a small machine has processors.
[assembly: CollectionBehavior(MaxParallelThreads = 4)]
[assembly: TestCollectionOrderer("IoBench.Tests.SharedCollectionsFirst", "IoBench.Cli.Tests")]
