using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>
/// Checks of the test file: fill rate, ownership marker, locks, timestamps and copies, and on Windows sharing and file names.
/// </summary>
internal static class TestFileChecks
{
    private const string FillCode = "Fill",
        FillSubject = "Fill";

    public static IEnumerable<SelfTestCheck> CheckFill(SelfTestContext context)
    {
        if (context.FillSeconds is not { } seconds)
        {
            yield return SelfTestCheck.CannotTell(FillCode, FillSubject, "an earlier self-test left its file, which was used again.");
            yield break;
        }
        var rate = SelfTestContext.FileSize / seconds / (1 << 20);
        var slow = context.Target.Warnings.Find(w => w.Code == WarningCodes.SlowFill);
        yield return SelfTestCheck.Pass(
            FillCode,
            FillSubject,
            FormattableString.Invariant(
                $"the test file was written at {rate:#,0} MiB/s{(slow is null ? "" : ", and the system filled it with zeros ahead of that")}."
            ),
            slow is null ? null : "Give the account 'Perform volume maintenance tasks', where the file system allows SetFileValidData",
            new FindingEvidence("Fill", rate, "MiB/s")
        );
    }
}
