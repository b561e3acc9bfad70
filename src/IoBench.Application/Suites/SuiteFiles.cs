namespace IoBench.Application.Suites;

/// <summary>The files of a suite, made before its first test: hosts that wait for each other wait for files once.</summary>
public static class SuiteFiles
{
    /// <summary>Makes each file once; the largest one first, because a smaller size is the beginning of it.</summary>
    /// <param name="approval">The tests, and what they may do.</param>
    /// <param name="progress">Hears the file, bytes written and bytes in all.</param>
    /// <param name="failed">Hears of a file that could not be made, and why.</param>
    /// <param name="stopped">Ends it.</param>
    /// <returns>Tests whose files are there.</returns>
    public static IReadOnlyList<IoTestSpecification> Make(
        SuiteApproval approval,
        Action<string, long, long> progress,
        Action<string, IoBenchException> failed,
        CancellationToken stopped
    )
    {
        ArgumentNullException.ThrowIfNull(approval);
        ArgumentNullException.ThrowIfNull(progress);
        ArgumentNullException.ThrowIfNull(failed);
        HashSet<string> unmade = [];
        foreach (
            var test in approval.Tests.Where(test => !BackendCatalog.IsModelled(test.Backend)).OrderByDescending(test => test.FileSize ?? 0)
        )
        {
            foreach (var target in test.Targets.Where(target => !unmade.Contains(target.Path)))
            {
                try
                {
                    TestFiles.Prepare(
                        test,
                        target,
                        approval.OptionsFor(test),
                        (written, total) => progress(target.Path, written, total),
                        stopped
                    );
                }
                catch (IoBenchException error)
                {
                    unmade.Add(target.Path);
                    failed(target.Path, error);
                }
            }
        }
        return [.. approval.Tests.Where(test => !test.Targets.Exists(target => unmade.Contains(target.Path)))];
    }
}
