using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Creates the files of a suite before its first test, so that hosts that wait for each other do so only once.</summary>
public static class SuiteTestFiles
{
    /// <summary>Creates each file once, largest size first, because a smaller test uses the beginning of the file.</summary>
    /// <param name="approval">Approved tests.</param>
    /// <param name="progress">Receives the file, the bytes written, and the total bytes.</param>
    /// <param name="failed">Receives the file that could not be created, and the error.</param>
    /// <param name="stopped">Cancels the creation.</param>
    /// <returns>Tests whose files are ready.</returns>
    public static IReadOnlyList<IoTestSpecification> PrepareFiles(
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
            var test in approval.Tests.Where(test => !BackendCatalog.IsModeled(test.Backend)).OrderByDescending(test => test.FileSize ?? 0)
        )
        {
            foreach (var target in test.Targets.Where(target => !unmade.Contains(target.Path)))
            {
                try
                {
                    TestFiles.Prepare(
                        test,
                        target,
                        approval.GetOptions(test),
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
