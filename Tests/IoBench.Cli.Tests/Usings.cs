
// A folder is a namespace: every file of this project sees these, so that a file moves without a change in those that use it.
// Most of these tests wait for a program that they started, so twice as many run as a small machine has processors.
[assembly: CollectionBehavior(MaxParallelThreads = 4)]
[assembly: TestCollectionOrderer("IoBench.Tests.SharedCollectionsFirst", "IoBench.Cli.Tests")]
global using IoBench.Analysis.Caps;
global using IoBench.Analysis.Comparison;
global using IoBench.Analysis.Findings;
global using IoBench.Analysis.History;
global using IoBench.Analysis.Limits;
global using IoBench.Analysis.OwnLoad;
global using IoBench.Analysis.Repeats;
global using IoBench.Analysis.Roles;
global using IoBench.Analysis.Rules;
global using IoBench.Analysis.Saturation;
global using IoBench.Analysis.Verdicts;
global using IoBench.Analysis;
global using IoBench.Application.Drills;
global using IoBench.Application.Fleet.Members;
global using IoBench.Application.Journal;
global using IoBench.Application.Options;
global using IoBench.Application.Outputs;
global using IoBench.Application.Plans;
global using IoBench.Application.SelfTest;
global using IoBench.Application.Verdicts;
global using IoBench.Cli.DropIn;
global using IoBench.Cli.Options;
global using IoBench.Cli.Output;
global using IoBench.Engine.Drills;
global using IoBench.Engine.Host;
global using IoBench.Engine.Planning;
global using IoBench.Engine.Results;
global using IoBench.Engine.Specification.Patterns;
global using IoBench.Engine.Specification;
global using IoBench.Engine.Targets;
global using IoBench.Engine.Text;
global using IoBench.Formats.DiskSpd;
global using IoBench.Formats.Json;
global using IoBench.Formats.Results;
global using IoBench.Formats.Sqlio;
global using IoBench.Reports;
