using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application.Tests;

public class ErrorLogImporterTests : CreatedFolderTestBase
{
    [Fact]
    public void Logs_of_a_folder_are_read_in_order_of_time()
    {
        Save("ERRORLOG", 20);
        Save("ERRORLOG.1", 10);
        Save("ERRORLOG.10", 1);
        Save("errorlog.2", 9);
        File.WriteAllText(Path.Combine(Folder, "SQLAGENT.OUT"), "x");
        File.WriteAllText(Path.Combine(Folder, "log_1.trc"), "x");
        var logs = ErrorLogImporter.FindLogs([Folder, Path.Combine(Folder, "ERRORLOG")], error => Assert.Fail(error.Message));
        Assert.Equal(["ERRORLOG.10", "errorlog.2", "ERRORLOG.1", "ERRORLOG"], logs.Select(Path.GetFileName));
        var analyzer = new ErrorLogAnalyzer();
        var events = ErrorLogImporter.ReadEvents(logs, analyzer, error => Assert.Fail(error.Message)).ToList();
        Assert.Equal([1, 9, 10, 20], events.Select(item => item.Time.Day));
        var result = analyzer.CreateResult();
        Assert.Equal((4, 4, 0), (result.Logs.Count, result.EventCount, result.Warnings.Count));
    }

    [Fact]
    public void Freeze_can_end_in_the_next_log()
    {
        Save("ERRORLOG.1", 1, "I/O is frozen on database x. No user action is required. However, if I/O is not resumed promptly, …");
        Save("ERRORLOG", 2, "I/O was resumed on database x. No user action is required.");
        var result = Analyze([Folder], error => Assert.Fail(error.Message));
        Assert.Equal(TimeSpan.FromDays(1).TotalMilliseconds, Assert.Single(result.Files).LongestFreezeMs);
    }

    [Fact]
    public void Copy_of_a_log_is_reported()
    {
        Save("ERRORLOG", 1, days: 3);
        Save("ERRORLOG.1", 1, days: 3);
        var result = Analyze([Folder], error => Assert.Fail(error.Message));
        Assert.Equal("IoBench.ErrorLogOverlap", Assert.Single(result.Warnings).Code);
    }

    [Fact]
    public void Truncated_message_is_reported()
    {
        Save("ERRORLOG", 1, "SQL Server has encountered 3 occurrence(s) of I/O requests taking longer than 15 seco");
        var result = Analyze([Folder], error => Assert.Fail(error.Message));
        Assert.Equal("IoBench.ErrorLogIncomplete", Assert.Single(result.Warnings).Code);
        Assert.Equal(0, result.EventCount);
    }

    [Fact]
    public void Files_that_fail_do_not_affect_the_others()
    {
        Save("ERRORLOG", 1);
        File.WriteAllText(Path.Combine(Folder, "notes.txt"), "hello");
        Directory.CreateDirectory(Path.Combine(Folder, "empty"));
        List<IoBenchException> errors = [];
        var result = Analyze(["notes.txt", "missing", "empty", "ERRORLOG"], errors.Add);
        Assert.Equal(
            ["IoBench.FileNotFound", "IoBench.NoErrorLogs", "IoBench.NotAnErrorLog"],
            errors.Select(error => error.ErrorId).Order()
        );
        Assert.Single(result.Logs);
    }

    [Theory]
    [InlineData("5", "Interval 5s is out of range. Use a value from 1m to 366d.")]
    [InlineData("59.9s", "Interval 59.9s is out of range.")]
    public void Interval_must_be_in_range(string text, string message)
    {
        var error = Assert.Throws<IoBenchException>(() => ReadInterval(text));
        Assert.Equal("IoBench.InvalidValue", error.ErrorId);
        Assert.Contains(message, error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Interval_can_be_as_long_as_any_duration()
    {
        Assert.Equal(TimeSpan.FromMinutes(1), ReadInterval("60"));
        Assert.Equal(TimeSpan.FromDays(366), ReadInterval("366d"));
        Assert.Equal("IoBench.InvalidDuration", Assert.Throws<IoBenchException>(() => ReadInterval("9000h")).ErrorId);
    }

    private static TimeSpan? ReadInterval(string text)
    {
        var values = new OptionValues(OptionTables.ErrorLog);
        values.Set(OptionTables.ErrorLog[0], text);
        return ErrorLogImporter.GetInterval(values);
    }

    private ErrorLogResult Analyze(string[] names, Action<IoBenchException> onError)
    {
        var analyzer = new ErrorLogAnalyzer();
        var logs = ErrorLogImporter.FindLogs(names.Select(name => Path.Combine(Folder, name)), onError);
        Assert.True(ErrorLogImporter.ReadEvents(logs, analyzer, onError).Count() >= 0);
        return analyzer.CreateResult();
    }

    private void Save(string name, int day, string? text = null, int days = 1)
    {
        text ??=
            "SQL Server has encountered 3 occurrence(s) of I/O requests taking longer than 15 seconds to complete on file [D:\\a.mdf] in database [a] (5).  The OS file handle is 0x0000000000001594.  The offset of the latest long I/O is: 0x000030435b0000.";
        File.WriteAllLines(
            Path.Combine(Folder, name),
            Enumerable.Range(day, days).Select(i => $"2026-11-{i:00} 02:12:36.12 spid5s      {text}")
        );
    }
}
