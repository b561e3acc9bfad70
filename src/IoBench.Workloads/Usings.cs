global using IoBench.Engine.Results;
global using IoBench.Engine.Specification;
global using IoBench.Engine.Specification.Patterns;
global using IoBench.Engine.Text;
