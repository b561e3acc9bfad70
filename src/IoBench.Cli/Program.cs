using System.Runtime.CompilerServices;

namespace IoBench.Cli;

internal static class Program
{
    public static int Main(string[] args) => Startup.HasFileHandles() ? Run(args) : ExitCodes.Usage;

    // A separate method, so that its assemblies are not loaded earlier.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Run(string[] args)
    {
        try
        {
            Startup.EndOnUnhandled();
            using var console = CliConsole.System();
            return App.Run(args, console);
        }
        catch (Exception error)
        {
            Console.Error.WriteLine(Startup.Unexpected(error));
            return ExitCodes.Failed;
        }
    }
}
