[assembly: TestCollectionOrderer("IoBench.Tests.SharedCollectionsFirst", "IoBench.Engine.Tests")]
// Many of these tests wait for a device that is slow on purpose, so twice as many run as a small machine has processors. Tests that need an
// idle machine run alone.
[assembly: CollectionBehavior(MaxParallelThreads = 4)]
