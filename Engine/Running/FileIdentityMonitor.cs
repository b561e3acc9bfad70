namespace IoBench.Engine;

/// <summary>Detects a deleted or replaced test file. I/O to a deleted file that is open continues to complete.</summary>
internal sealed class FileIdentityMonitor
{
    private readonly (string Path, FileStatus Status)[] _files;

    public FileIdentityMonitor(IReadOnlyList<OpenTarget> targets) =>
        _files = [
            .. targets
                .Select(t => t.File)
                .OfType<OpenFile>()
                .Where(f => f.Status.Kind == FileKind.Regular)
                .Distinct()
                .Select(f => (f.Path, f.Status)),
        ];

    public List<IoBenchException> FindChangedFiles() =>
        [
            .. _files
                .Select(f => (f.Path, What: DescribeChange(f.Path, f.Status)))
                .Where(f => f.What is not null)
                .Select(f =>
                    IoBenchException.Failure(
                        "IoBench.FileGone",
                        $"{f.Path} was {f.What} during the test. The results are from the original file.",
                        f.Path,
                        advice: "Find out which program did this, and run the test again."
                    )
                ),
        ];

    public static void AddErrors(IoTestResult result, IEnumerable<IoBenchException> gone)
    {
        foreach (var error in gone)
        {
            if (result.Status != IoResultStatus.Complete)
            {
                result.AddWarning(new IoWarning(WarningCodes.TargetGone, error.Text));
                continue;
            }
            result.Status = IoResultStatus.Failed;
            result.SetError(error);
        }
    }

    private static string? DescribeChange(string path, FileStatus status)
    {
        try
        {
            if (PlatformFiles.Current.TryGetStatus(path) is not { } now)
                return "removed";
            return now.IsSame(status) ? null : "replaced by another file";
        }
        catch (IoBenchException e)
        {
            // Windows denies access to a name whose file is being deleted. A whole volume can disappear too.
            return $"lost ({e.Message})";
        }
    }
}
