using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli;

/// <summary>Saving to a disk that does not respond is not abandoned, but Ctrl+C names the file.</summary>
internal sealed class InterruptibleSink(CliConsole console, string path, IResultSink sink) : IResultSink
{
    public void AddAll(IReadOnlyList<IoTestResult> results) =>
        CancellableFileCall.RunToCompletion(console, path, () => sink.AddAll(results));

    public void Flush() => CancellableFileCall.RunToCompletion(console, path, sink.Flush);
}
