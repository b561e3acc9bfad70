using System.Text;
using IoBench.Engine;

namespace IoBench.Formats.Tests;

public sealed class ResultReaderTests : CreatedFolderTestBase
{
    private string WriteFile(string name, string content) => WriteFile(name, Encoding.UTF8.GetBytes(content));

    private string WriteFile(string name, byte[] content)
    {
        var path = Path.Combine(Folder, name);
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        System.IO.File.WriteAllBytes(path, content);
        return path;
    }

    private static IoBenchException AssertFails(string id, IoErrorKind kind, Action action)
    {
        var error = Assert.Throws<IoBenchException>(action);
        Assert.Equal(id, error.ErrorId);
        Assert.Equal(kind, error.Kind);
        Assert.DoesNotContain('\n', error.Message);
        return error;
    }

    [Fact]
    public void Missing_file_error_names_the_file() =>
        Assert.Contains(
            "nothing.txt",
            AssertFails(
                "IoBench.FileNotFound",
                IoErrorKind.NotFound,
                () => ResultReader.ReadFile(Path.Combine(Folder, "nothing.txt"))
            ).Message,
            StringComparison.Ordinal
        );

    [LinuxFact]
    public void Large_file_is_opened_once()
    {
        // On Windows, the name of an open file stays in use.
        var path = WriteFile("large.txt", string.Concat(Enumerable.Repeat(SqlioTestText.Run, 200)));
        Assert.True(new FileInfo(path).Length > 2 * 65536);

        var results = ResultReader.ReadFile(path);
        var one = Assert.Single(ResultReader.ReadFolder(Folder, recurse: false).Select(file => file.Results).ToList());
        System.IO.File.Delete(path);

        Assert.Equal(200, results.Count());
        Assert.Equal(200, one.Count());
        // A second enumeration opens the file again.
        Assert.Throws<IoBenchException>(() => results.Count());
    }

    [Fact]
    public void Line_break_in_a_file_name_is_escaped_in_the_error() =>
        Assert.Contains(
            @"no\nthing.txt",
            AssertFails(
                "IoBench.FileNotFound",
                IoErrorKind.NotFound,
                () => ResultReader.ReadFile(Path.Combine(Folder, "no\nthing.txt"))
            ).Message,
            StringComparison.Ordinal
        );

    [Theory]
    [InlineData("")]
    [InlineData("\r\n  \r\n")]
    [InlineData("\uFEFF")]
    public void Empty_file_throws(string content) =>
        AssertFails("IoBench.EmptyFile", IoErrorKind.InvalidData, () => ResultReader.ReadFile(WriteFile("empty.txt", content)));

    [Fact]
    public void Binary_file_throws() =>
        AssertFails(
            "IoBench.BinaryFile",
            IoErrorKind.InvalidData,
            () =>
                ResultReader.ReadFile(
                    WriteFile("sqlio.exe", [0x4D, 0x5A, 0x90, 0, 3, 0, 0, 0, 4, 0, 0, 0, 0xFF, 0xFF, 0, 0, 0xB8, 0, 0, 0])
                )
        );

    [Fact]
    public void Folder_instead_of_a_file_throws() =>
        AssertFails("IoBench.NotAFile", IoErrorKind.Usage, () => ResultReader.ReadFile(Folder));

    [Fact]
    public void Other_text_is_not_recognized()
    {
        AssertFails("IoBench.UnknownFormat", IoErrorKind.InvalidData, () => ResultReader.ReadFile(WriteFile("notes.txt", "Dear diary,\n")));
        Assert.Null(ResultReader.DetectFormat(WriteFile("more.txt", "name,value\n1,2\n")));
    }

    [Fact]
    public void Error_for_a_batch_file_suggests_the_convert_command() =>
        Assert.Contains(
            "To convert command lines, use",
            AssertFails(
                "IoBench.UnknownFormat",
                IoErrorKind.InvalidData,
                () => ResultReader.ReadFile(SampleFiles.GetPath("documents", "sqlio-commands.txt"))
            ).Message,
            StringComparison.Ordinal
        );

    [Theory]
    [InlineData("param.txt")]
    [InlineData("paramMT.txt")]
    public void Error_for_a_parameter_file_suggests_the_sqlio_command(string file) =>
        Assert.EndsWith(
            "is a SQLIO parameter file, not SQLIO output. Use the file with iobench sqlio -F… or Invoke-IoTest -ParameterFile.",
            AssertFails(
                "IoBench.UnknownFormat",
                IoErrorKind.InvalidData,
                () => ResultReader.ReadFile(SampleFiles.GetPath("documents", file))
            ).Message,
            StringComparison.Ordinal
        );

    [Fact]
    public void Output_of_another_tool_throws_with_the_matching_command()
    {
        var path = WriteFile("r.txt", SqlioTestText.Run);

        var error = AssertFails("IoBench.WrongTool", IoErrorKind.InvalidData, () => ResultReader.ReadFile(path, ResultFormat.DiskSpd));
        Assert.Contains("Import-SqlioResult", error.Message, StringComparison.Ordinal);
        Assert.Single(ResultReader.ReadFile(path, ResultFormat.Sqlio));
    }

    [Fact]
    public void Truncated_output_is_an_incomplete_result_with_a_warning()
    {
        var result = Assert.Single(
            ResultReader.ReadFile(WriteFile("cut.txt", SqlioTestText.Run[..SqlioTestText.Run.IndexOf("IOs/sec", StringComparison.Ordinal)]))
        );

        Assert.Equal(IoResultStatus.Incomplete, result.Status);
        Assert.Equal(["line 12: the output of the run ends before its results."], result.Warnings);
        Assert.Null(result.IOPS);
        Assert.Equal(4, result.ThreadCount);
    }

    [Fact]
    public void Log_with_only_redirected_command_lines_has_no_results() =>
        AssertFails(
            "IoBench.NoResults",
            IoErrorKind.InvalidData,
            () =>
                _ = ResultReader
                    .ReadFile(
                        WriteFile(
                            "log.txt",
                            """
                            D:\>sqlio -kR -s10 -frandom -b8 -LS > out.txt
                            rem threads reading for ever
                            """
                        )
                    )
                    .ToList()
        );

    public static TheoryData<string> Encodings =>
        ["utf-8", "utf-8-bom", "utf-16", "utf-16-no-bom", "utf-16BE", "utf-16BE-no-bom", "windows-1252"];

    [Theory]
    [MemberData(nameof(Encodings))]
    public void Result_file_in_any_Windows_encoding_is_read(string name)
    {
        var text = SqlioTestText.Run.Replace(@"O:\test.dat", @"O:\Prüfung µ\test.dat", StringComparison.Ordinal).ReplaceLineEndings("\r\n");
        Encoding encoding = name switch
        {
            "utf-8" => new UTF8Encoding(false),
            "utf-8-bom" => new UTF8Encoding(true),
            "utf-16" => new UnicodeEncoding(false, true),
            "utf-16-no-bom" => new UnicodeEncoding(false, false),
            "utf-16BE" => new UnicodeEncoding(true, true),
            "utf-16BE-no-bom" => new UnicodeEncoding(true, false),
            _ => CodePagesEncodingProvider.Instance.GetEncoding(1252)!,
        };
        var path = WriteFile("r.txt", SqlioTestText.Encode(text, encoding));

        Assert.Equal(ResultFormat.Sqlio, ResultReader.DetectFormat(path)?.WrittenAs);
        var result = Assert.Single(ResultReader.ReadFile(path));
        Assert.Equal(@"O:\Prüfung µ\test.dat", result.Path);
        Assert.Equal(92160, result.FileSizeMB);
        Assert.Equal(IoResultStatus.Complete, result.Status);
        Assert.All(result.Warnings, warning => Assert.Contains("outstanding (IOPS", warning, StringComparison.Ordinal));
        Assert.Equal(1, result.SourceLine);
    }

    [Fact]
    public void Log_with_parts_in_different_encodings_is_read()
    {
        byte[] bytes =
        [
            .. Encoding.Latin1.GetBytes(SqlioTestText.Run),
            .. Encoding.Unicode.GetBytes(SqlioTestText.Run),
            .. Encoding.UTF8.GetBytes(SqlioTestText.Run),
        ];

        var results = ResultReader.ReadFile(WriteFile("mixed.txt", bytes)).ToList();

        Assert.Equal(3, results.Count);
        Assert.All(results, r => Assert.Equal(15504.09, r.IOPS));
    }

    [Theory]
    [InlineData("MZ\0\u0003\0\0")]
    [InlineData("\u007FELF\u0002\u0001\0")]
    public void Program_file_of_a_tool_is_not_read_as_output(string beginning)
    {
        byte[] program =
        [
            .. Encoding.Latin1.GetBytes(beginning),
            .. new byte[500],
            .. Encoding.UTF8.GetBytes(SqlioTestText.Run),
            .. new byte[500],
        ];
        var path = WriteFile("sqlio.exe", program);
        AssertFails("IoBench.BinaryFile", IoErrorKind.InvalidData, () => ResultReader.ReadFile(path));
        Assert.Null(ResultReader.DetectFormat(path));
        WriteFile("result.txt", SqlioTestText.Run);
        Assert.Equal(["result.txt"], GetNames(recurse: false, skipped: false));
        Assert.Equal(["sqlio.exe"], GetNames(recurse: false, skipped: true));
    }

    [Fact]
    public void Result_files_of_a_folder_are_sorted()
    {
        WriteFile("b.log", SqlioTestText.Run);
        WriteFile("a.dat", SqlioTestText.Run);
        WriteFile("notes.txt", "nothing");
        WriteFile("picture.png", [0x89, 0x50, 0, 0, 1]);
        WriteFile(Path.Combine("sub", "c.txt"), SqlioTestText.Run);

        Assert.Equal(["a.dat", "b.log"], GetNames(recurse: false, skipped: false));
        Assert.Equal(["notes.txt", "picture.png"], GetNames(recurse: false, skipped: true));
        Assert.Equal(["a.dat", "b.log", "c.txt"], GetNames(recurse: true, skipped: false));
    }

    private IEnumerable<string?> GetNames(bool recurse, bool skipped) =>
        ResultReader
            .ReadFolder(Folder, recurse)
            .Where(file => skipped == file.SkipReason is not null)
            .Select(file => Path.GetFileName(file.Path));

    [Theory]
    [InlineData("reads-8k-random-3-files.txt", ResultFormat.Sqlio)]
    [InlineData("write-8k-sequential-BH.txt", ResultFormat.Sqlio)]
    [InlineData("size-matters-fragments.txt", ResultFormat.Sqlio)]
    [InlineData("param.txt", null)]
    [InlineData("diskspd-commands.txt", null)]
    [InlineData("expected-result-table.txt", null)]
    public void Sample_documents_are_recognized_by_content(string file, ResultFormat? format) =>
        Assert.Equal(format, ResultReader.DetectFormat(SampleFiles.GetPath("documents", file))?.WrittenAs);

    [Fact]
    public void Each_written_format_is_recognized()
    {
        var results = SqlioTestText.ReadAll(SqlioTestText.Run);
        foreach (var format in (ResultFormat[])[ResultFormat.Json, ResultFormat.Csv, ResultFormat.Sqlio])
        {
            var writer = new StringWriter();
            ResultWriter.Write(writer, results, format);
            var path = WriteFile("out", writer.ToString());
            Assert.Equal(format, ResultReader.DetectFormat(path)?.WrittenAs);
            Assert.Equal(15504.09, Assert.Single(ResultReader.ReadFile(path)).IOPS);
        }
    }
}
