using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Loader;

/// <summary>The history of results, for the module: values or errors as <see cref="Attempt"/> gives them.</summary>
public static class History
{
    /// <summary><see cref="ResultHistory.Read"/>; lines that could not be read are added to <paramref name="warnings"/>.</summary>
    public static Attempt Read(string path, IList<string> warnings) => Attempt.Of(() => ResultHistory.Read(path, warnings.Add));

    /// <summary><see cref="ResultHistory.Append"/>; the value is the files.</summary>
    public static Attempt Append(string folder, IReadOnlyList<IoTestResult> results) => Attempt.Of(() => ResultHistory.Append(folder, results));

    /// <summary><see cref="HistoryTrend.Of"/>.</summary>
    public static Attempt Trend(IEnumerable<IoTestResult> results, string[]? metrics, double alpha) => Attempt.Of(() => HistoryTrend.Of(results, metrics, alpha));
}
