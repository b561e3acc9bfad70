using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>
/// Checks of the test file: fill rate, ownership marker, locks, timestamps and copies, and on Windows sharing and file names.
/// </summary>
internal static class FillCheck
{
    private const string Code = "Fill",
        Subject = "Fill";

    public static IEnumerable<SelfTestCheck> Make(SelfTestContext context)
    {
        if (context.FillSeconds is not { } seconds)
        {
            yield return SelfTestCheck.CannotTell(Code, Subject, "an earlier self-test left its file, which was used again.");
            yield break;
        }
        var rate = SelfTestContext.FileSize / seconds / (1 << 20);
        var slow = context.Prepared.Warnings.Find(w => w.Code == WarningCodes.SlowFill);
        yield return SelfTestCheck.Pass(
            Code,
            Subject,
            FormattableString.Invariant(
                $"the test file was written at {rate:#,0} MiB/s{(slow is null ? "" : ", and the system filled it with zeros ahead of that")}."
            ),
            slow is null ? null : "Give the account 'Perform volume maintenance tasks', where the file system allows SetFileValidData",
            new FindingFigure("Fill", rate, "MiB/s")
        );
    }
}
