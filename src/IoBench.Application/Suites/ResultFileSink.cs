using IoBench.Engine;

namespace IoBench.Application;

public sealed class ResultFileSink(ResultFile file) : IResultSink
{
    private bool _isBehind;

    public void AddAll(IReadOnlyList<IoTestResult> results)
    {
        _isBehind = true;
        file.AddAll(results);
        _isBehind = false;
    }

    public void Flush()
    {
        if (!_isBehind)
            return;
        file.AddAll([]);
        _isBehind = false;
    }
}
