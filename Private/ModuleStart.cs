using System.Management.Automation;

namespace IoBench.PowerShell;

/// <summary>What is done as the assembly is imported.</summary>
public sealed class ModuleStart : IModuleAssemblyInitializer
{
    /// <summary>Another version's engine, which a process had loaded before, is refused.</summary>
    /// <exception cref="InvalidOperationException">Another version was loaded; Private/IoBench.ImportAdvice.ps1 says what to do.</exception>
    public void OnImport()
    {
        if (typeof(IoSize).Assembly.GetName().Version != typeof(ModuleStart).Assembly.GetName().Version)
            throw new InvalidOperationException("Another version of IoBench was loaded before.");
    }
}
