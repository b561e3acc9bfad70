// A folder is a namespace: every file of this project sees these, so that a file moves without a change in those that use it.
global using IoBench.Engine.Results;
global using IoBench.Engine.Specification;
