using IoBench.Analysis;
using IoBench.Formats;

namespace IoBench.Reports.Tests;

public class ErrorLogReportTests
{
    [Fact]
    public void Timeline_and_single_messages_have_their_own_sheets()
    {
        var analyzer = new ErrorLogAnalyzer(keepsEvents: true);
        foreach (var hour in Enumerable.Range(0, 3))
            analyzer.Add(
                new()
                {
                    Kind = ErrorLogEventKind.LongIO,
                    Time = new(2026, 11, 20, 9 + hour, 5, 0),
                    Path = @"E:\Data\Sales.mdf",
                    DatabaseId = 5,
                    Process = "spid5s",
                    SourceFile = "ERRORLOG",
                    SourceLine = hour,
                    Observations = 12,
                }
            );
        using var workbook = new Workbook(new ReportDocument("Log", ErrorLogSection.BuildAll(analyzer.CreateResult())), maxRows: 1000);
        Assert.Equal(["ErrorLog", "ErrorLogTimeline", "ErrorLogEvents", "ChartData"], workbook.GetSheetNames());
        Assert.Empty(workbook.FindFaults());
        // The same words as in the table of files and kinds.
        Assert.Contains("error 833", workbook.GetText("ErrorLogEvents"), StringComparison.Ordinal);
        Assert.DoesNotContain("LongIO", workbook.GetText("ErrorLogEvents"), StringComparison.Ordinal);
    }

    [Fact]
    public void Log_without_messages_has_one_sheet() =>
        Assert.Single(ErrorLogSection.BuildAll(new ErrorLogAnalyzer(keepsEvents: true).CreateResult()));
}
