using IoBench.Engine;

namespace IoBench.Application;

public interface IResultSink
{
    /// <exception cref="IoBenchException">The result could not be saved. It stays in memory and is saved with the next one.</exception>
    void Add(IoTestResult result) => AddAll([result]);

    /// <summary>Adds several results with one save.</summary>
    void AddAll(IReadOnlyList<IoTestResult> results);

    /// <summary>Tries again to save results that could not be saved.</summary>
    void Flush();

    /// <summary>Adds results to all sinks. A sink that fails affects neither the other sinks nor the following tests.</summary>
    internal static void AddToAll(IReadOnlyList<IResultSink> sinks, IReadOnlyList<IoTestResult> results, Action<IoBenchException> failed)
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

    /// <summary>Flushes all sinks. Returns whether all of them have saved everything.</summary>
    internal static bool FlushAll(IReadOnlyList<IResultSink> sinks)
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
