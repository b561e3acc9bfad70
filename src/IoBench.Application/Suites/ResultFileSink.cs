using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Sink that saves results to a file.</summary>
public sealed class ResultFileSink(ResultFile file) : IResultSink
{
    private bool _isBehind;

    /// <inheritdoc/>
    public void AddAll(IReadOnlyList<IoTestResult> results)
    {
        _isBehind = true;
        file.AddAll(results);
        _isBehind = false;
    }

    /// <inheritdoc/>
    public void Flush()
    {
        if (!_isBehind)
            return;
        file.AddAll([]);
        _isBehind = false;
    }
}
