using System.Collections.Concurrent;

namespace IoBench.Loader;

/// <summary>
/// Lines a run reports from its own thread, kept until PowerShell's thread asks for them: a script block cannot run on
/// a thread without a runspace.
/// </summary>
public sealed class RunLog
{
    private readonly ConcurrentQueue<string> _lines = new();

    /// <summary>What to give to <see cref="Engine.TestRunOptions.Log"/>.</summary>
    public Action<string> Add => _lines.Enqueue;

    /// <summary>The lines since the last call.</summary>
    public string[] Take()
    {
        var lines = new List<string>();
        while (_lines.TryDequeue(out var line))
            lines.Add(line);
        return [.. lines];
    }
}
