using System.Reflection;
using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Formats;
using IoBench.Reports;

namespace IoBench.Loader;

/// <summary>Whether the process has the assemblies of the module that is imported: PowerShell takes one of another version that was loaded before for it.</summary>
public static class LoadedVersion
{
    /// <summary>Why the module cannot be used; null when it can.</summary>
    /// <param name="folder">The folder of the module's assemblies.</param>
    public static string? Problem(string folder)
    {
        ArgumentException.ThrowIfNullOrEmpty(folder);
        foreach (var type in (Type[])[typeof(IoSize), typeof(ResultReader), typeof(ResultComparer), typeof(Report), typeof(LoadedVersion)])
        {
            // Each import comes by here: what was loaded from the folder is the folder's.
            if (type.Assembly.Location.StartsWith(folder, StringComparison.Ordinal))
                continue;
            var loaded = type.Assembly.GetName();
            var wanted = AssemblyName.GetAssemblyName(Path.Combine(folder, loaded.Name + ".dll")).Version;
            if (wanted != loaded.Version)
            {
                return $"IoBench's assemblies in {folder} cannot be loaded: another version of IoBench was loaded before ({loaded.Name} {loaded.Version}, not {wanted}). "
                    + "Start a new pwsh: a process keeps what it has loaded.";
            }
        }
        return null;
    }
}
