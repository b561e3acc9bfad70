using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

internal static class TestFileChecks
{
    private const string TimestampsCode = "Times",
        TimestampsSubject = "Times and copies";

    public static IEnumerable<SelfTestCheck> CheckTimestamps(SelfTestContext context)
    {
        var (scratch, copy) = (context.Path + ".times", context.Path + ".copy");
        var madeScratch = false;
        var madeCopy = false;
        try
        {
            long[] moves = MeasureTimestampChanges(scratch, out madeScratch);
            File.Copy(context.Path, copy, overwrite: false);
            madeCopy = true;
            var isCopyOurs = TestFiles.IsOwnTestFile(copy, out _);
            string[] words = ["by the write", "by the new length", "by the close"];
            var moved = words.Where((_, i) => moves[i] != 0).ToList();
            var what =
                $"the time of last write is moved {(moved.Count == 0 ? "by none of a write, a new length and a close within 50 ms" : string.Join(" and ", moved))}";
            var figures = words.Select((word, i) => new FindingEvidence("Moved " + word, moves[i] / 10.0, "us")).ToArray();
            return
            [
                isCopyOurs
                    ? SelfTestCheck.Fail(
                        TimestampsCode,
                        TimestampsSubject,
                        what + "; a copy of the test file passes for the file itself.",
                        "Do not keep copies of test files here, and report it",
                        figures
                    )
                    : SelfTestCheck.Pass(
                        TimestampsCode,
                        TimestampsSubject,
                        what + "; a copy of the test file is recognised as one.",
                        null,
                        figures
                    ),
            ];
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return
            [
                SelfTestCheck.CannotTell(
                    TimestampsCode,
                    TimestampsSubject,
                    $"a second file cannot be made or read here: {e.Message.TrimEnd('.')}."
                ),
            ];
        }
        finally
        {
            if (madeScratch)
                File.Delete(scratch);
            if (madeCopy)
                File.Delete(copy);
        }
    }

    // Changes of the last-write time per step, in units of 100 ns, as another handle sees them.
    private static long[] MeasureTimestampChanges(string path, out bool isMade)
    {
        isMade = false;
        var times = new List<long>();
        void Look()
        {
            times.Add(File.GetLastWriteTimeUtc(path).Ticks);
            Thread.Sleep(50);
        }
        using (
            var file = new FileStream(path, FileMode.CreateNew, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete, bufferSize: 0)
        )
        {
            isMade = true;
            Look();
            file.Write(new byte[4096]);
            Look();
            file.SetLength(8192);
            Look();
        }
        Look();
        return [.. times.Zip(times.Skip(1), (before, after) => after - before)];
    }
}
