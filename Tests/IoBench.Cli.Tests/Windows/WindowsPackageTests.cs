using System.Reflection;
using System.Xml.Linq;

namespace IoBench.Cli.Tests;

/// <summary>
/// Windows reads the resources before it starts the program: policies allow it by product and version, and the manifest controls
/// compatibility settings.
/// </summary>
[Collection(WindowsProgramTestGroup.Name)]
public class WindowsPackageTests
{
    [RequiresFact("wine")]
    public void Program_has_product_and_version_resources()
    {
        var version = ExecutableResources.ReadResource(Wine.Program, ExecutableResources.VersionType);
        Assert.NotNull(version);
        Assert.Equal("IoBench", ExecutableResources.ReadVersionText(version, "ProductName"));
        Assert.Equal("IoBench", ExecutableResources.ReadVersionText(version, "CompanyName"));
        Assert.Equal("iobench.dll", ExecutableResources.ReadVersionText(version, "OriginalFilename"));
        var informational = typeof(App)
            .Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()!
            .InformationalVersion.Split('+')[0];
        Assert.StartsWith(informational, ExecutableResources.ReadVersionText(version, "ProductVersion"), StringComparison.Ordinal);
        Assert.StartsWith(informational + ".", ExecutableResources.ReadVersionText(version, "FileVersion"), StringComparison.Ordinal);
    }

    [RequiresFact("wine")]
    public void Manifest_sets_long_paths_and_requires_no_administrator()
    {
        var manifest = XDocument.Load(new MemoryStream(ExecutableResources.ReadResource(Wine.Program, ExecutableResources.ManifestType)!));
        XElement Only(string name) => manifest.Descendants().Single(element => element.Name.LocalName == name);
        Assert.Equal("IoBench.iobench", Only("assemblyIdentity").Attribute("name")!.Value);
        Assert.Equal("true", Only("longPathAware").Value);
        Assert.Equal("asInvoker", Only("requestedExecutionLevel").Attribute("level")!.Value);
        // Without this element, Windows reports version 8 to the program.
        Assert.Equal("{8e0f7a12-bfb3-4fe8-b9a5-48fd50a15a9a}", Only("supportedOS").Attribute("Id")!.Value);
    }
}
