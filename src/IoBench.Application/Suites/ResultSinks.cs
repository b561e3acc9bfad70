using IoBench.Engine;

namespace IoBench.Application;

/// <summary>All places that results go to: that one of them fails costs neither the others nor what is still to be measured.</summary>
internal static class ResultSinks
{
    /// <summary>Gives results that came together to each.</summary>
    /// <param name="sinks">The places.</param>
    /// <param name="failed">Hears why one did not take them.</param>
    public static void AddAll(this IReadOnlyList<IResultSink> sinks, IReadOnlyList<IoTestResult> results, Action<IoBenchException> failed)
    {
        foreach (var sink in sinks)
        {
            try
            {
                sink.AddAll(results);
            }
            catch (IoBenchException error)
            {
                failed(error);
            }
        }
    }

    /// <summary>Lets each save what it holds; false when one of them could not: why was said when the result came.</summary>
    public static bool Flush(this IReadOnlyList<IResultSink> sinks)
    {
        var isSaved = true;
        foreach (var sink in sinks)
        {
            try
            {
                sink.Flush();
            }
            catch (IoBenchException)
            {
                isSaved = false;
            }
        }
        return isSaved;
    }
}
