// Each folder is a namespace. These usings apply to every file of the project, so a file can move without changes in the files that use it.
global using IoBench.Engine.Results;
global using IoBench.Engine.Specification;
