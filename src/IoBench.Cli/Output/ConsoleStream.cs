using IoBench.Engine;

namespace IoBench.Cli;

internal enum ConsoleOutputRequirement
{
    /// <summary>Output that cannot be written is dropped.</summary>
    None,

    /// <summary>A closed pipe means that the reader has seen enough. Any other failure ends the command.</summary>
    Listing,

    /// <summary>Standard output is the only place of the results, so any failure ends the run.</summary>
    Results,
}

/// <summary>Writers do not see failures (full disk, closed descriptor, pipe without a reader) unless the stream is required.</summary>
internal sealed class ConsoleStream(TextWriter target, bool isTerminal = false)
{
    private readonly object _gate = new();
    private bool _isClosedPipe;
    private bool _isReported;

    public bool IsTerminal { get; } = isTerminal;

    public ConsoleOutputRequirement Requirement { get; set; }

    public string? FailureReason { get; private set; }

    /// <summary>After a failure, nothing more is written.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.StandardOutputLost</c>, if the stream is required.</exception>
    public void Write(string text)
    {
        lock (_gate)
        {
            try
            {
                if (FailureReason is null)
                {
                    target.Write(text);
                    target.Flush();
                    return;
                }
            }
            catch (Exception error) when (error is IOException or UnauthorizedAccessException or ObjectDisposedException)
            {
                FailureReason = error.Message.ReplaceLineEndings(" ").TrimEnd('.', ' ');
                _isClosedPipe = error is IOException { HResult: StandardStream.BrokenPipe };
            }
        }
        ThrowIfRequired();
    }

    public void MarkClosed() => FailureReason = "it is closed";

    /// <summary>Throws once if the stream is required and failed.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.StandardOutputLost</c>.</exception>
    public void ThrowIfRequired()
    {
        if (FailureReason is null || _isReported)
            return;
        if (Requirement == ConsoleOutputRequirement.Results || (Requirement == ConsoleOutputRequirement.Listing && !_isClosedPipe))
        {
            _isReported = true;
            throw IoBenchException.Failure(
                "IoBench.StandardOutputLost",
                $"IoBench cannot write to standard output: {FailureReason}.",
                advice: "To save results even if standard output fails, use --output FILE."
            );
        }
    }
}
