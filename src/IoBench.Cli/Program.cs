using System.Runtime.CompilerServices;

namespace IoBench.Cli;

internal static class Program
{
    public static int Main(string[] args) => Startup.HasEnoughResources() ? Run(args) : ExitCodes.Usage;

    // A separate method, so that its assemblies are not loaded earlier.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Run(string[] args)
    {
        try
        {
            Startup.ExitOnUnhandledException();
            using var console = CliConsole.CreateForProcess();
            return App.Run(args, console);
        }
        catch (Exception error)
        {
            Console.Error.WriteLine(Startup.DescribeUnexpected(error));
            return ExitCodes.Failed;
        }
    }

    /// <summary>The executable, or the one next to the assembly if the dotnet host runs the program; null if there is none.</summary>
    public static string? ExecutablePath
    {
        get
        {
            if (Path.GetFileNameWithoutExtension(Environment.ProcessPath) is "iobench")
                return Environment.ProcessPath;
            var neighbor = Path.Combine(AppContext.BaseDirectory, OperatingSystem.IsWindows() ? "iobench.exe" : "iobench");
            return File.Exists(neighbor) ? neighbor : null;
        }
    }
}
