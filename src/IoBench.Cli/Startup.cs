using System.Runtime.InteropServices;
using IoBench.Engine;

namespace IoBench.Cli;

/// <summary>With too few file handles, the runtime cannot load the assemblies of an error message, so this class uses only the core
/// library.</summary>
internal static class Startup
{
    /// <summary>Environment variable: 1 shows the stack of an unexpected error.</summary>
    public const string TraceVariable = "IOBENCH_TRACE";

    /// <summary>With fewer, some commands cannot load their assemblies. Includes a margin.</summary>
    private const ulong MinOpenFiles = 100;

    /// <summary>The threads of the runtime, and of a test with the default number of threads.</summary>
    private const ulong MinThreads = 24;

    internal const int OpenFilesResource = 7;
    internal const int ThreadsResource = 6;

    public static bool IsTraceEnabled => Environment.GetEnvironmentVariable(TraceVariable) == "1";

    /// <summary>Writes an error and returns false if too few files can be open, or too few threads can run.</summary>
    public static bool HasEnoughResources()
    {
        if (!OperatingSystem.IsLinux())
            return true;
        var limit = default(ResourceLimit);
        if (GetLimit(OpenFilesResource, ref limit) == 0 && limit.Soft < MinOpenFiles)
        {
            WriteLimitError(
                limit.Soft,
                " files can be open here, but IoBench needs 100 or more. Raise the limit, for example: ulimit -n 1024\n"u8
            );
            return false;
        }
        // The limit does not apply to root. With fewer threads, the runtime itself ends the process.
        if (GetLimit(ThreadsResource, ref limit) == 0 && limit.Soft < MinThreads && !Environment.IsPrivilegedProcess)
        {
            WriteLimitError(
                limit.Soft,
                " threads can run here, but IoBench needs 24 or more. Raise the process limit, for example: ulimit -u 1024\n"u8
            );
            return false;
        }
        return true;
    }

    /// <summary>Ends the program with one line and an exit code, not with a signal, if a background thread throws.</summary>
    public static void ExitOnUnhandledException() =>
        AppDomain.CurrentDomain.UnhandledException += (_, e) =>
        {
            Console.Error.WriteLine(DescribeUnexpected(e.ExceptionObject as Exception));
            Environment.Exit(ExitCodes.Failed);
        };

    /// <summary>One line; with <see cref="TraceVariable"/> also the stack.</summary>
    public static string DescribeUnexpected(Exception? error)
    {
        if (error is not null && IsTraceEnabled)
            return ReplaceControlCharacters("iobench: " + error);
        if (error is OutOfMemoryException memory)
            return "iobench: " + IoBenchException.NotEnoughMemory(memory).Message;
        var message = ReplaceControlCharacters(error?.Message.ReplaceLineEndings(" ") ?? "");
        return $"iobench: {error?.GetType().Name}: {message} This is a bug in IoBench. Please report it. Set the environment variable {TraceVariable}=1 to show its location.";
    }

    /// <summary>Keeps line breaks and tabs.</summary>
    private static string ReplaceControlCharacters(string text)
    {
        var characters = text.ToCharArray();
        for (var i = 0; i < characters.Length; i++)
            if (char.IsControl(characters[i]) && characters[i] is not ('\n' or '\r' or '\t'))
                characters[i] = '?';
        return new string(characters);
    }

    private static void WriteLimitError(ulong limit, ReadOnlySpan<byte> rest)
    {
        Span<byte> digits = stackalloc byte[20];
        var length = FormatDigits(limit, digits);
        WriteError("iobench: only "u8);
        WriteError(digits[^length..]);
        WriteError(rest);
    }

    private static int FormatDigits(ulong number, Span<byte> digits)
    {
        var length = 0;
        do
        {
            digits[^++length] = (byte)('0' + number % 10);
            number /= 10;
        } while (number > 0);
        return length;
    }

    // If this write fails too, only the exit code is left.
    private static void WriteError(ReadOnlySpan<byte> text) => _ = Write(2, ref MemoryMarshal.GetReference(text), (nuint)text.Length);

    private struct ResourceLimit
    {
        public ulong Soft;
        public ulong Hard;
    }

    [DllImport("libc", EntryPoint = "getrlimit")]
    private static extern int GetLimit(int resource, ref ResourceLimit limit);

    [DllImport("libc", EntryPoint = "write")]
    private static extern nint Write(int file, ref byte bytes, nuint count);
}
