// A folder is a namespace: every file of this project sees these, so that a file moves without a change in those that use it.
global using IoBench.Engine.Backends;
global using IoBench.Engine.Backends.Negotiation;
global using IoBench.Engine.Backends.Nvme;
global using IoBench.Engine.Host;
global using IoBench.Engine.Host.Priorities;
global using IoBench.Engine.Host.Timers;
global using IoBench.Engine.Inputs;
global using IoBench.Engine.Integrity;
global using IoBench.Engine.Integrity.Witnesses;
global using IoBench.Engine.Interop.Linux;
global using IoBench.Engine.Interop.Windows;
global using IoBench.Engine.Measurement;
global using IoBench.Engine.Planning;
global using IoBench.Engine.Results;
global using IoBench.Engine.Results.Metrics;
global using IoBench.Engine.Running;
global using IoBench.Engine.Running.Offsets;
global using IoBench.Engine.Running.Workers;
global using IoBench.Engine.Specification;
global using IoBench.Engine.Specification.Patterns;
global using IoBench.Engine.Targets;
global using IoBench.Engine.Targets.Facts;
global using IoBench.Engine.Targets.Foreign;
global using IoBench.Engine.Targets.Marks;
global using IoBench.Engine.Targets.Platform;
global using IoBench.Engine.Text;

[assembly: TestCollectionOrderer("IoBench.Tests.SharedCollectionsFirst", "IoBench.Engine.Tests")]

// Many of these tests wait for a device that is slow on purpose, so twice as many run as a small machine has processors. Tests that need an idle machine run alone.
[assembly: CollectionBehavior(MaxParallelThreads = 4)]
