namespace IoBench.Application.Suites;

/// <summary>All places that results go to: that one of them fails costs neither the others nor what is still to be measured.</summary>
public static class ResultSinks
{
    /// <summary>The places of a run: the file that was asked for, then the journal.</summary>
    /// <param name="file">The file; null = none was asked for.</param>
    /// <param name="journal">The journal; null = none is kept.</param>
    /// <param name="hear">Puts something between the run and the file; null = nothing.</param>
    public static IReadOnlyList<IResultSink> Of(ResultFile? file, RunJournal? journal, Func<IResultSink, IResultSink>? hear = null)
    {
        List<IResultSink> sinks = [];
        if (file is not null)
            sinks.Add(hear is null ? new ResultFileSink(file) : hear(new ResultFileSink(file)));
        if (journal is not null)
            sinks.Add(journal);
        return sinks;
    }

    /// <summary>Gives results that came together to each.</summary>
    /// <param name="sinks">The places.</param>
    /// <param name="failed">Hears why one did not take them.</param>
    internal static void AddAll(this IReadOnlyList<IResultSink> sinks, IReadOnlyList<IoTestResult> results, Action<IoBenchException> failed)
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

    /// <summary>Keeps a result: that it cannot be saved (a full disk) must not cost the tests that follow.</summary>
    internal static void Save(
        this IReadOnlyList<IResultSink> sinks,
        IoTestSpecification test,
        IoTestResult result,
        Action<SuiteFailure> failed
    ) => sinks.AddAll([result], error => failed(new SuiteFailure(test, error, result)));

    /// <summary>Lets each save what it holds; false when one of them could not: why was said when the result came.</summary>
    internal static bool Flush(this IReadOnlyList<IResultSink> sinks)
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
