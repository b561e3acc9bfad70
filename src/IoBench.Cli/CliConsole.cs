using System.Runtime.InteropServices;
using System.Text;

namespace IoBench.Cli;

/// <summary>
/// What a command talks to: results to <see cref="Out"/>, all else to <see cref="Error"/>; Ctrl+C and a request to end by <see cref="Cancelled"/>.
/// Tests give their own.
/// </summary>
internal sealed class CliConsole : IDisposable
{
    private readonly CancellationTokenSource _cancel = new();
    private readonly List<PosixSignalRegistration> _signals = [];

    public CliConsole(TextWriter output, TextWriter error, bool errorIsTerminal, bool canAsk)
    {
        Out = output;
        Error = error;
        ErrorIsTerminal = errorIsTerminal;
        CanAsk = canAsk;
    }

    /// <summary>Results and nothing else.</summary>
    public TextWriter Out { get; }

    /// <summary>Progress, notes, warnings, errors.</summary>
    public TextWriter Error { get; }

    /// <summary>A live line makes sense on <see cref="Error"/>.</summary>
    public bool ErrorIsTerminal { get; }

    /// <summary>Somebody is there to answer a question.</summary>
    public bool CanAsk { get; }

    /// <summary>Set by Ctrl+C, SIGTERM and SIGHUP.</summary>
    public CancellationToken Cancelled => _cancel.Token;

    /// <summary>The process's own streams and signals.</summary>
    public static CliConsole System()
    {
        // Rows must be there when a run ends, also in a file or a pipe; the encoding without a byte order mark, as other programs expect.
        var output = new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false)) { AutoFlush = true };
        var console = new CliConsole(output, Console.Error, !Console.IsErrorRedirected, !Console.IsInputRedirected && !Console.IsErrorRedirected);
        foreach (var signal in new[] { PosixSignal.SIGINT, PosixSignal.SIGTERM, PosixSignal.SIGHUP })
            console._signals.Add(PosixSignalRegistration.Create(signal, console.OnSignal));
        return console;
    }

    /// <summary>Reads a line from whoever is there; null when nobody is.</summary>
    public string? Ask(string question)
    {
        if (!CanAsk)
            return null;
        Error.Write(question);
        return Console.ReadLine();
    }

    public void Cancel() => _cancel.Cancel();

    public void Dispose()
    {
        _signals.ForEach(signal => signal.Dispose());
        Out.Flush();
        Error.Flush();
        _cancel.Dispose();
    }

    /// <summary>The first signal ends the run and keeps what is finished; a second one ends the program there and then.</summary>
    private void OnSignal(PosixSignalContext context)
    {
        if (_cancel.IsCancellationRequested)
            return;
        context.Cancel = true;
        _cancel.Cancel();
    }
}
