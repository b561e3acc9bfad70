// Each folder is a namespace. These usings apply to every file of the project, so a file can move without changes in the files that use it.
global using IoBench.Analysis;
global using IoBench.Engine.Backends;
global using IoBench.Engine.Host;
global using IoBench.Engine.Integrity;
global using IoBench.Engine.Measurement;
global using IoBench.Engine.Planning;
global using IoBench.Engine.Results;
global using IoBench.Engine.Running;
global using IoBench.Engine.Specification;
global using IoBench.Engine.Targets;
global using IoBench.Formats.Json;
global using IoBench.Formats.Results;
global using IoBench.Formats.Sqlio;
global using IoBench.Reports;
