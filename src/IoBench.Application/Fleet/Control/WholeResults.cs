using System.Collections;

namespace IoBench.Application.Fleet.Control;

/// <summary>Results with all they hold, each read when it is asked for and kept by nobody here: a list that takes as much memory as its slim ones.</summary>
/// <param name="slim">The results, slim or not.</param>
/// <param name="spool">Where all of each is.</param>
internal sealed class WholeResults(IReadOnlyList<IoTestResult> slim, FleetSpool spool) : IReadOnlyList<IoTestResult>
{
    public int Count => slim.Count;

    public IoTestResult this[int index] => spool.Whole(slim[index]);

    public IEnumerator<IoTestResult> GetEnumerator() => slim.Select(spool.Whole).GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}
