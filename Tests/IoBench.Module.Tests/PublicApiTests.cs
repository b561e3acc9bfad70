using System.Reflection;
using PublicApiGenerator;

namespace IoBench.Module.Tests;

/// <summary>The public types and members of each assembly that others can use.</summary>
public class PublicApiTests
{
    private static readonly string[] s_layers = ["Engine", "Workloads", "Formats", "Analysis", "Reports", "Application", "PowerShell"];

    [Fact]
    public void Public_API_of_every_assembly_is_as_recorded() =>
        Snapshot.Match(
            "api",
            s_layers
                .Select(layer => Assembly.Load("IoBench." + layer))
                .ToDictionary(
                    assembly => assembly.GetName().Name + ".txt",
                    assembly => assembly.GeneratePublicApi(new ApiGeneratorOptions { IncludeAssemblyAttributes = false })
                )
        );
}
