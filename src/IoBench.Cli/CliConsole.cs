using System.Runtime.InteropServices;
using System.Text;

namespace IoBench.Cli;

/// <summary>
/// What a command talks to: results to <see cref="Out"/> and <see cref="Data"/>, all else to <see cref="Error"/>; Ctrl+C and a request to end by <see cref="Cancelled"/>.
/// Tests give their own.
/// </summary>
internal sealed class CliConsole : IDisposable
{
    /// <summary>SIGXFSZ: a file would grow beyond the user's limit (ulimit -f). The call itself then fails too, with words and a file's name.</summary>
    private const PosixSignal FileTooLarge = (PosixSignal)25;

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
        bool? jsonIsAscii = null
    )
    {
        _output = new ConsoleStream(output, outputIsTerminal) { Need = StreamNeed.Listing };
        Out = new ConsoleWriter(_output, ConsoleText.Lines);
        Data = new ConsoleWriter(_output, ConsoleText.Data);
        // PowerShell decodes what a program prints by the console's code page, on Windows an old one.
        Json = new ConsoleWriter(_output, ConsoleText.Json, jsonIsAscii ?? OperatingSystem.IsWindows());
        var errors = new ConsoleStream(error, errorIsTerminal);
        Error = new ConsoleWriter(errors, ConsoleText.Lines);
        ErrorData = new ConsoleWriter(errors, ConsoleText.Data);
        ErrorIsTerminal = errorIsTerminal;
        CanAsk = canAsk;
    }

    /// <summary>Results for people, line by line, and nothing else.</summary>
    public TextWriter Out { get; }

    /// <summary>Results in a data format, on the same stream.</summary>
    public TextWriter Data { get; }

    /// <summary>Results as JSON, on the same stream.</summary>
    public TextWriter Json { get; }

    /// <summary>Progress, notes, warnings, errors. Writing to it never fails: an error that cannot be printed is no other error.</summary>
    public TextWriter Error { get; }

    /// <summary>What another tool prints beside its output, as it prints it.</summary>
    public TextWriter ErrorData { get; }

    /// <summary>Standard input, line by line, in UTF-8.</summary>
    public TextReader Input
    {
        get => _input ??= new StreamReader(Console.OpenStandardInput(), new UTF8Encoding(false));
        init => _input = value;
    }

    /// <summary>A live line makes sense on <see cref="Error"/>.</summary>
    public bool ErrorIsTerminal { get; }

    /// <summary>Somebody is there to answer a question.</summary>
    public bool CanAsk { get; }

    /// <summary>How options are written in texts: as the user typed them.</summary>
    public TextSpelling Spelling { get; set; } = ProgramSpelling.Default;

    /// <summary>Set by Ctrl+C, SIGTERM and SIGHUP; on Windows also by Ctrl+Break, a closed window, and a shutdown.</summary>
    public CancellationToken Cancelled => _stop.Token;

    /// <summary>Why standard output cannot be written to; null while it can.</summary>
    public string? OutputLost => _output.Lost;

    /// <summary>The process's own streams and signals.</summary>
    public static CliConsole System()
    {
        var isClosed = OperatingSystem.IsWindows() ? new bool[3] : StandardHandle.Guard();
        var mode = new TerminalMode(!Console.IsOutputRedirected || !Console.IsErrorRedirected);
        var output = Writer(1, isClosed[1]);
        var error = Writer(2, isClosed[2]);
        var console = new CliConsole(
            output,
            error,
            !isClosed[2] && !Console.IsErrorRedirected,
            canAsk: !isClosed[0] && !isClosed[2] && !Console.IsInputRedirected && !Console.IsErrorRedirected,
            outputIsTerminal: !isClosed[1] && !Console.IsOutputRedirected
        );
        console._mode = mode;
        if (isClosed[1])
            console._output.MarkClosed();
        foreach (var signal in Signals)
            console._signals.Add(PosixSignalRegistration.Create(signal, console.OnSignal));
        if (OperatingSystem.IsLinux())
            console._signals.Add(PosixSignalRegistration.Create(FileTooLarge, context => context.Cancel = true));
        return console;
    }

    /// <summary>Results are in a file too: that they cannot be printed ends nothing.</summary>
    public void ResultsAreInAFile() => _output.Need = StreamNeed.None;

    /// <summary>Tests are about to run, and unless a file keeps their results it is standard output alone that does.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.StandardOutputLost</c>: it cannot be written to.</exception>
    public void TestsBegin()
    {
        if (_output.Need == StreamNeed.Listing)
            _output.Need = StreamNeed.Results;
        _output.ThrowIfNeeded();
    }

    private static PosixSignal[] Signals =>
        OperatingSystem.IsWindows()
            ? [PosixSignal.SIGINT, PosixSignal.SIGQUIT, PosixSignal.SIGTERM, PosixSignal.SIGHUP]
            : [PosixSignal.SIGINT, PosixSignal.SIGTERM, PosixSignal.SIGHUP];

    private static TextWriter Writer(int number, bool isClosed)
    {
        // The encoding without a byte order mark, as other programs expect.
        var encoding = new UTF8Encoding(false);
        if (!OperatingSystem.IsWindows())
            return new StreamWriter(new StandardStream(number, isClosed), encoding);
        // One encoding in files and pipes, whatever the console's code page: "> all.txt 2>&1" is one file.
        return number == 1 ? new StreamWriter(Console.OpenStandardOutput(), encoding)
            : Console.IsErrorRedirected ? new StreamWriter(Console.OpenStandardError(), encoding)
            : Console.Error;
    }

    /// <summary>Reads a line from whoever is there; null when nobody is.</summary>
    public string? Ask(string question)
    {
        if (!CanAsk)
            return null;
        Error.Write(question);
        return Console.ReadLine();
    }

    /// <summary>Where results go in a format.</summary>
    public TextWriter DataOf(ResultFormat format) => format == ResultFormat.Json ? Json : Data;

    public void Cancel() => _stop.Request();

    public void Dispose()
    {
        _mode?.Dispose();
        // A handler that keeps the process alive waits for this.
        _stop.Ended();
        _signals.ForEach(signal => signal.Dispose());
        _stop.Dispose();
    }

    /// <summary>The first signal ends the run and keeps what is finished; a second one ends the program there and then.</summary>
    private void OnSignal(PosixSignalContext context)
    {
        // .NET's names for a closed window and a shutdown, on Windows: the process ends when their handler returns.
        if (_stop.Request(endsProcess: OperatingSystem.IsWindows() && context.Signal is PosixSignal.SIGHUP or PosixSignal.SIGTERM))
            context.Cancel = true;
    }
}
