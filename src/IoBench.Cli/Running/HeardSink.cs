namespace IoBench.Cli.Running;

/// <summary>A file of results whose disk may not answer: whoever presses Ctrl+C meanwhile sees so.</summary>
internal sealed class HeardSink(CliConsole console, string path, IResultSink sink) : IResultSink
{
    /// <inheritdoc/>
    public void AddAll(IReadOnlyList<IoTestResult> results) => FileLook.Finish(console, path, () => sink.AddAll(results));

    /// <inheritdoc/>
    public void Flush() => FileLook.Finish(console, path, sink.Flush);
}
