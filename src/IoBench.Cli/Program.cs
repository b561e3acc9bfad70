using System.Runtime.CompilerServices;

namespace IoBench.Cli;

internal static class Program
{
    public static int Main(string[] args) => Startup.HasEnoughFileHandles() ? Run(args) : ExitCodes.Usage;

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
}
