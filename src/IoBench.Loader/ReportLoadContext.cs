using System.Reflection;
using System.Runtime.Loader;

namespace IoBench.Loader;

/// <summary>
/// Where IoBench.Reports and the packages it needs live: PowerShell's default context holds one version of an assembly only,
/// and another module may have brought its own Open XML SDK there first.
/// </summary>
internal sealed class ReportLoadContext : AssemblyLoadContext
{
    private readonly string _folder;

    /// <summary>A context for the assemblies of one folder.</summary>
    public ReportLoadContext(string folder) : base("IoBench.Reports") => _folder = folder;

    /// <inheritdoc/>
    protected override Assembly? Load(AssemblyName assemblyName)
    {
        // IoBench's own types must be the same on both sides: what is not in the folder comes from the default context.
        var path = Path.Combine(_folder, assemblyName.Name + ".dll");
        return File.Exists(path) ? LoadFromAssemblyPath(path) : null;
    }
}
