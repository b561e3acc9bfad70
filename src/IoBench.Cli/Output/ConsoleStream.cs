namespace IoBench.Cli.Output;

/// <summary>How much a run needs a stream.</summary>
internal enum StreamNeed
{
    /// <summary>Not at all: what cannot be printed is dropped, and nothing ends because of it.</summary>
    None,

    /// <summary>A listing: who closes the pipe early has seen enough; any other failure ends the command.</summary>
    Listing,

    /// <summary>The only place of results that take their time: any failure ends the run.</summary>
    Results,
}

/// <summary>One of the process's streams, whose failures are kept from whoever writes: a full disk behind a redirection, a closed descriptor, a pipe without a reader.</summary>
internal sealed class ConsoleStream(TextWriter target, bool isTerminal = false)
{
    private readonly object _gate = new();
    private bool _isClosedPipe;
    private bool _isTold;

    /// <summary>A person looks at it.</summary>
    public bool IsTerminal { get; } = isTerminal;

    /// <summary>What its loss means.</summary>
    public StreamNeed Need { get; set; }

    /// <summary>Why it cannot be written to; null while it can.</summary>
    public string? Lost { get; private set; }

    /// <summary>Writes; after a failure nothing more is tried.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.StandardOutputLost</c>, where the stream is needed.</exception>
    public void Write(string text)
    {
        lock (_gate)
        {
            try
            {
                if (Lost is null)
                {
                    target.Write(text);
                    target.Flush();
                    return;
                }
            }
            catch (Exception error) when (error is IOException or UnauthorizedAccessException or ObjectDisposedException)
            {
                Lost = error.Message.ReplaceLineEndings(" ").TrimEnd('.', ' ');
                _isClosedPipe = error is ClosedPipeException;
            }
        }
        ThrowIfNeeded();
    }

    /// <summary>Finds out that it is closed before anything is to be written.</summary>
    public void MarkClosed() => Lost = "it is closed";

    /// <summary>Throws when the stream is needed and lost, once: the error was reported by then.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.StandardOutputLost</c>.</exception>
    public void ThrowIfNeeded()
    {
        if (Lost is null || _isTold)
            return;
        if (Need == StreamNeed.Results || (Need == StreamNeed.Listing && !_isClosedPipe))
        {
            _isTold = true;
            throw IoBenchException.Failure(
                "IoBench.StandardOutputLost",
                $"standard output cannot be written: {Lost}.",
                advice: "With --output FILE results do not depend on it."
            );
        }
    }
}

/// <summary>Nobody reads the other end of a pipe any more.</summary>
internal sealed class ClosedPipeException(string message) : IOException(message);
