using System.Collections;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>
/// List of complete results that reads each result from the spool on access, so that it takes only the memory of the trimmed results.
/// </summary>
internal sealed class SpooledResults(IReadOnlyList<IoTestResult> slim, ResultSpool spool) : IReadOnlyList<IoTestResult>
{
    public int Count => slim.Count;

    public IoTestResult this[int index] => spool.ReadComplete(slim[index]);

    public IEnumerator<IoTestResult> GetEnumerator() => slim.Select(spool.ReadComplete).GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}
