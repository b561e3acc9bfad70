using System.Runtime.InteropServices;
using System.Text;
using IoBench.Application;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli;

internal sealed class CliConsole : IDisposable
{
    /// <summary>SIGXFSZ: a file would exceed the user's limit (ulimit -f). The write itself then fails and names the file.</summary>
    private const PosixSignal FileSizeLimitSignal = (PosixSignal)25;

    private readonly StopSignal _stop = new();
    private TerminalMode? _mode;
    private TextReader? _input;
    private readonly List<PosixSignalRegistration> _signals = [];
    private readonly ConsoleStream _output;

    public CliConsole(
        TextWriter output,
        TextWriter error,
        bool errorIsTerminal,
        bool canAsk,
        bool outputIsTerminal = false,
        bool? jsonIsAscii = null,
        int tableWidth = TextTable.MaxWidth
    )
    {
        _output = new ConsoleStream(output, outputIsTerminal) { Requirement = ConsoleOutputRequirement.Listing };
        Out = new ConsoleWriter(_output, ConsoleTextKind.Lines) { TableWidth = tableWidth };
        TableWidth = tableWidth;
        Data = new ConsoleWriter(_output, ConsoleTextKind.Data);
        // PowerShell decodes the output of a program with the console's code page, which is an old one on Windows.
        Json = new ConsoleWriter(_output, ConsoleTextKind.Json, jsonIsAscii ?? OperatingSystem.IsWindows());
        var errors = new ConsoleStream(error, errorIsTerminal);
        Error = new ConsoleWriter(errors, ConsoleTextKind.Lines);
        ErrorData = new ConsoleWriter(errors, ConsoleTextKind.Data);
        IsErrorTerminal = errorIsTerminal;
        CanAsk = canAsk;
    }

    public TextWriter Out { get; }

    /// <summary>Maximum width of a table on standard output in characters.</summary>
    public int TableWidth { get; }

    public TextWriter Data { get; }

    public TextWriter Json { get; }

    /// <summary>Progress, warnings, and errors. Writing never throws: an error that cannot be printed must not cause another one.</summary>
    public TextWriter Error { get; }

    public TextWriter ErrorData { get; }

    public TextReader Input
    {
        get => _input ??= new BoundedLineReader(new StreamReader(Console.OpenStandardInput(), new UTF8Encoding(false)), "Standard input");
        init => _input = new BoundedLineReader(value, "Standard input");
    }

    public bool IsErrorTerminal { get; }

    public bool CanAsk { get; }

    public OptionSpelling Spelling { get; set; } = CliSpelling.Default;

    /// <summary>Canceled by Ctrl+C, SIGTERM, and SIGHUP; on Windows also by Ctrl+Break, a closed window, and a shutdown.</summary>
    public CancellationToken CancellationToken => _stop.Token;

    /// <summary>Why standard output cannot be written; null if it can.</summary>
    public string? OutputFailure => _output.FailureReason;

    public static CliConsole CreateForProcess()
    {
        var isClosed = OperatingSystem.IsWindows() ? new bool[3] : StandardStream.ReserveClosedHandles();
        var mode = new TerminalMode(!Console.IsOutputRedirected || !Console.IsErrorRedirected);
        var output = CreateWriter(1, isClosed[1]);
        var outputIsTerminal = !isClosed[1] && !Console.IsOutputRedirected;
        var error = CreateWriter(2, isClosed[2]);
        var console = new CliConsole(
            output,
            error,
            !isClosed[2] && !Console.IsErrorRedirected,
            canAsk: !isClosed[0] && !isClosed[2] && !Console.IsInputRedirected && !Console.IsErrorRedirected,
            outputIsTerminal: outputIsTerminal,
            tableWidth: outputIsTerminal ? GetTableWidth(ProgressLine.GetTerminalWidth()) : TextTable.MaxWidth
        );
        console._mode = mode;
        if (isClosed[1])
            console._output.MarkClosed();
        foreach (var signal in Signals)
            console._signals.Add(PosixSignalRegistration.Create(signal, console.OnSignal));
        if (OperatingSystem.IsLinux())
            console._signals.Add(PosixSignalRegistration.Create(FileSizeLimitSignal, context => context.Cancel = true));
        return console;
    }

    // A line that fills the last column makes some terminals add an empty line.
    // In a narrower terminal, lines wrap, because tables without their columns would show too little.
    internal static int GetTableWidth(int terminalWidth) => Math.Clamp(terminalWidth - 1, TextTable.MinWidth, TextTable.MaxWidth);

    /// <summary>Results are also in a file, so a failure of standard output does not end the run.</summary>
    public void MarkResultsSaved() => _output.Requirement = ConsoleOutputRequirement.None;

    /// <summary>Call before tests start. From then on, if no file holds the results, a failure of standard output ends the run.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.StandardOutputLost</c>: standard output cannot be written.</exception>
    public void RequireOutput()
    {
        if (_output.Requirement == ConsoleOutputRequirement.Listing)
            _output.Requirement = ConsoleOutputRequirement.Results;
        _output.ThrowIfRequired();
    }

    private static PosixSignal[] Signals =>
        OperatingSystem.IsWindows()
            ? [PosixSignal.SIGINT, PosixSignal.SIGQUIT, PosixSignal.SIGTERM, PosixSignal.SIGHUP]
            : [PosixSignal.SIGINT, PosixSignal.SIGTERM, PosixSignal.SIGHUP];

    private static TextWriter CreateWriter(int number, bool isClosed)
    {
        // Other programs expect UTF-8 without a byte order mark.
        var encoding = new UTF8Encoding(false);
        if (!OperatingSystem.IsWindows())
            return new StreamWriter(new StandardStream(number, isClosed), encoding);
        // On Windows, write UTF-8 to files and pipes independently of the console's code page, so that "> all.txt 2>&1" gives one encoding.
        if (number == 1)
            return new StreamWriter(Console.OpenStandardOutput(), encoding);
        if (Console.IsErrorRedirected)
            return new StreamWriter(Console.OpenStandardError(), encoding);
        return Console.Error;
    }

    /// <returns>The line that the user entered; null if no user can answer.</returns>
    public string? AskUser(string question)
    {
        if (!CanAsk)
            return null;
        Error.Write(question);
        return Console.ReadLine();
    }

    public TextWriter GetDataWriter(ResultFormat format) => format == ResultFormat.Json ? Json : Data;

    public void Cancel() => _stop.RequestStop();

    public void Dispose()
    {
        _mode?.Dispose();
        // A signal handler that keeps the process alive waits for this.
        _stop.SignalEnd();
        _signals.ForEach(signal => signal.Dispose());
        _stop.Dispose();
    }

    /// <summary>The first signal ends the run and saves finished results. The second signal ends the process immediately.</summary>
    private void OnSignal(PosixSignalContext context)
    {
        // On Windows, SIGHUP and SIGTERM are .NET's names for a closed window and a shutdown. The process ends when their handler returns.
        if (_stop.RequestStop(endsProcess: OperatingSystem.IsWindows() && context.Signal is PosixSignal.SIGHUP or PosixSignal.SIGTERM))
            context.Cancel = true;
    }
}
