using System.Management.Automation;
using IoBench.Engine;

namespace IoBench.PowerShell;

public sealed class ModuleAssemblyInitializer : IModuleAssemblyInitializer
{
    /// <exception cref="InvalidOperationException">Another version is loaded. Private/IoBench.ImportAdvice.ps1 says what to do.</exception>
    public void OnImport()
    {
        if (typeof(IoSize).Assembly.GetName().Version != typeof(ModuleAssemblyInitializer).Assembly.GetName().Version)
            throw new InvalidOperationException("Another version of IoBench is already loaded.");
    }
}
