using System.Reflection;
using System.Xml.Linq;

namespace IoBench.Cli.Tests;

/// <summary>
/// Windows reads the resources before it starts the program: policies allow it by product and version, and the manifest controls
/// compatibility settings.
/// </summary>
[Collection(WindowsProgramGroup.Name)]
public class WindowsPackageTests
{
    [RequiresFact("wine")]
    public void The_program_says_its_product_and_version()
    {
        var version = PortableResources.Read(Wine.Program, PortableResources.Version);
        Assert.NotNull(version);
        Assert.Equal("IoBench", PortableResources.Text(version, "ProductName"));
        Assert.Equal("IoBench", PortableResources.Text(version, "CompanyName"));
        Assert.Equal("iobench.dll", PortableResources.Text(version, "OriginalFilename"));
        var informational = typeof(App)
            .Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()!
            .InformationalVersion.Split('+')[0];
        Assert.StartsWith(informational, PortableResources.Text(version, "ProductVersion"), StringComparison.Ordinal);
        Assert.StartsWith(informational + ".", PortableResources.Text(version, "FileVersion"), StringComparison.Ordinal);
    }

    [RequiresFact("wine")]
    public void Its_manifest_has_its_name_long_paths_and_no_rights_of_an_administrator()
    {
        var manifest = XDocument.Load(new MemoryStream(PortableResources.Read(Wine.Program, PortableResources.Manifest)!));
        XElement Only(string name) => manifest.Descendants().Single(element => element.Name.LocalName == name);
        Assert.Equal("IoBench.iobench", Only("assemblyIdentity").Attribute("name")!.Value);
        Assert.Equal("true", Only("longPathAware").Value);
        Assert.Equal("asInvoker", Only("requestedExecutionLevel").Attribute("level")!.Value);
        // Without this element, Windows reports version 8 to the program.
        Assert.Equal("{8e0f7a12-bfb3-4fe8-b9a5-48fd50a15a9a}", Only("supportedOS").Attribute("Id")!.Value);
    }
}
