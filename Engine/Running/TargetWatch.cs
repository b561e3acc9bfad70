namespace IoBench.Engine.Running;

/// <summary>
/// Whether the names of a run's files still lead to them at its end. An open file that somebody removes goes on answering, so no I/O would show it.
/// </summary>
internal sealed class TargetWatch
{
    private readonly (string Path, FileStatus Status)[] _files;

    /// <summary>Notes which files the run has open.</summary>
    public TargetWatch(IReadOnlyList<OpenTarget> targets) =>
        _files = [
            .. targets
                .Select(t => t.File)
                .OfType<OpenFile>()
                .Where(f => f.Status.Kind == FileKind.Regular)
                .Distinct()
                .Select(f => (f.Path, f.Status)),
        ];

    /// <summary>Looks for files that were removed or replaced since; an error about each.</summary>
    public List<IoBenchException> WhatIsGone() =>
        [
            .. _files
                .Select(f => (f.Path, What: WhatHappened(f.Path, f.Status)))
                .Where(f => f.What is not null)
                .Select(f =>
                    IoBenchException.Failure(
                        "IoBench.FileGone",
                        $"{f.Path} was {f.What} while the test ran: the figures are those of the file that was opened.",
                        f.Path,
                        advice: "Find out who did it, and run the test again."
                    )
                ),
        ];

    /// <summary>Makes a result failed whose file was removed or replaced in mid-run; its figures stay.</summary>
    public static void Report(IoTestResult result, IEnumerable<IoBenchException> gone)
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

    private static string? WhatHappened(string path, FileStatus status)
    {
        try
        {
            return PlatformFiles.Current.TryGetStatus(path) is not { } now ? "removed"
                : !now.IsSame(status) ? "replaced by another file"
                : null;
        }
        catch (IoBenchException e)
        {
            // Windows denies access to a name whose file is about to go; a volume may have gone as a whole.
            return $"lost ({e.Message})";
        }
    }
}
