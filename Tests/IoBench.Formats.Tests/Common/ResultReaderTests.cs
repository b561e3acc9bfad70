using System.Text;
using IoBench.Engine;

namespace IoBench.Formats.Tests;

public sealed class ResultReaderTests : MadeFolderTests
{
    private string File(string name, string content) => File(name, Encoding.UTF8.GetBytes(content));

    private string File(string name, byte[] content)
    {
        var path = Path.Combine(Folder, name);
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        System.IO.File.WriteAllBytes(path, content);
        return path;
    }

    private static IoBenchException Fails(string id, IoErrorKind kind, Action action)
    {
        var error = Assert.Throws<IoBenchException>(action);
        Assert.Equal(id, error.ErrorId);
        Assert.Equal(kind, error.Kind);
        Assert.DoesNotContain('\n', error.Message);
        return error;
    }

    [Fact]
    public void A_missing_file_is_named() =>
        Assert.Contains(
            "nothing.txt",
            Fails("IoBench.FileNotFound", IoErrorKind.NotFound, () => ResultReader.ReadFile(Path.Combine(Folder, "nothing.txt"))).Message,
            StringComparison.Ordinal
        );

    [LinuxFact]
    public void A_large_file_is_opened_once()
    {
        // On Windows, the name of an open file stays in use.
        var path = File("large.txt", string.Concat(Enumerable.Repeat(SqlioText.Run, 200)));
        Assert.True(new FileInfo(path).Length > 2 * 65536);

        var results = ResultReader.ReadFile(path);
        var one = Assert.Single(ResultFiles.ReadFolder(Folder, recurse: false).Select(file => file.Results).ToList());
        System.IO.File.Delete(path);

        Assert.Equal(200, results.Count());
        Assert.Equal(200, one.Count());
        // A second enumeration opens the file again.
        Assert.Throws<IoBenchException>(() => results.Count());
    }

    [Fact]
    public void A_line_break_in_a_name_makes_no_second_line() =>
        Assert.Contains(
            @"no\nthing.txt",
            Fails("IoBench.FileNotFound", IoErrorKind.NotFound, () => ResultReader.ReadFile(Path.Combine(Folder, "no\nthing.txt"))).Message,
            StringComparison.Ordinal
        );

    [Theory]
    [InlineData("")]
    [InlineData("\r\n  \r\n")]
    [InlineData("\uFEFF")]
    public void An_empty_file_is_said_to_be_empty(string content) =>
        Fails("IoBench.EmptyFile", IoErrorKind.InvalidData, () => ResultReader.ReadFile(File("empty.txt", content)));

    [Fact]
    public void A_binary_file_is_no_text() =>
        Fails(
            "IoBench.BinaryFile",
            IoErrorKind.InvalidData,
            () => ResultReader.ReadFile(File("sqlio.exe", [0x4D, 0x5A, 0x90, 0, 3, 0, 0, 0, 4, 0, 0, 0, 0xFF, 0xFF, 0, 0, 0xB8, 0, 0, 0]))
        );

    [Fact]
    public void AFolder_is_no_file() => Fails("IoBench.NotAFile", IoErrorKind.Usage, () => ResultReader.ReadFile(Folder));

    [Fact]
    public void Other_text_is_not_recognised()
    {
        Fails("IoBench.UnknownFormat", IoErrorKind.InvalidData, () => ResultReader.ReadFile(File("notes.txt", "Dear diary,\n")));
        Assert.Null(ResultReader.Recognise(File("more.txt", "name,value\n1,2\n")));
    }

    [Fact]
    public void A_batch_file_is_told_where_it_belongs() =>
        Assert.Contains(
            "IoBench Convert takes those",
            Fails(
                "IoBench.UnknownFormat",
                IoErrorKind.InvalidData,
                () => ResultReader.ReadFile(Samples.Path("documents", "sqlio-commands.txt"))
            ).Message,
            StringComparison.Ordinal
        );

    [Theory]
    [InlineData("param.txt")]
    [InlineData("paramMT.txt")]
    public void A_parameter_file_is_told_where_it_belongs(string file) =>
        Assert.EndsWith(
            "not its output: iobench sqlio -F… takes it, and in PowerShell Invoke-IoTest -ParameterFile.",
            Fails("IoBench.UnknownFormat", IoErrorKind.InvalidData, () => ResultReader.ReadFile(Samples.Path("documents", file))).Message,
            StringComparison.Ordinal
        );

    [Fact]
    public void The_wrong_tool_is_told_at_once()
    {
        var path = File("r.txt", SqlioText.Run);

        var error = Fails("IoBench.WrongTool", IoErrorKind.InvalidData, () => ResultReader.ReadFile(path, ResultFormat.DiskSpd));
        Assert.Contains("Import-SqlioResult", error.Message, StringComparison.Ordinal);
        Assert.Single(ResultReader.ReadFile(path, ResultFormat.Sqlio));
    }

    [Fact]
    public void A_truncated_output_is_a_result_that_says_so()
    {
        var result = Assert.Single(
            ResultReader.ReadFile(File("cut.txt", SqlioText.Run[..SqlioText.Run.IndexOf("IOs/sec", StringComparison.Ordinal)]))
        );

        Assert.Equal(IoResultStatus.Incomplete, result.Status);
        Assert.Equal(["line 12: the run ends before its results."], result.Warnings);
        Assert.Null(result.IOPS);
        Assert.Equal(4, result.ThreadCount);
    }

    [Fact]
    public void A_log_with_nothing_but_redirected_command_lines_holds_no_run() =>
        Fails(
            "IoBench.NoResults",
            IoErrorKind.InvalidData,
            () =>
                _ = ResultReader
                    .ReadFile(
                        File(
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
    public void Any_encoding_of_Windows(string name)
    {
        var text = SqlioText.Run.Replace(@"O:\test.dat", @"O:\Prüfung µ\test.dat", StringComparison.Ordinal).ReplaceLineEndings("\r\n");
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
        var path = File("r.txt", SqlioText.Encode(text, encoding));

        Assert.Equal(ResultFormat.Sqlio, ResultReader.Recognise(path)?.WrittenAs);
        var result = Assert.Single(ResultReader.ReadFile(path));
        Assert.Equal(@"O:\Prüfung µ\test.dat", result.Path);
        Assert.Equal(92160, result.FileSizeMB);
        Assert.Equal(IoResultStatus.Complete, result.Status);
        Assert.Empty(result.Warnings);
        Assert.Equal(1, result.SourceLine);
    }

    [Fact]
    public void Parts_appended_in_other_encodings_are_read()
    {
        byte[] bytes =
        [
            .. Encoding.Latin1.GetBytes(SqlioText.Run),
            .. Encoding.Unicode.GetBytes(SqlioText.Run),
            .. Encoding.UTF8.GetBytes(SqlioText.Run),
        ];

        var results = ResultReader.ReadFile(File("mixed.txt", bytes)).ToList();

        Assert.Equal(3, results.Count);
        Assert.All(results, r => Assert.Equal(15504.09, r.IOPS));
    }

    [Theory]
    [InlineData("MZ\0\u0003\0\0")]
    [InlineData("\u007FELF\u0002\u0001\0")]
    public void A_tools_program_is_none_of_its_outputs(string beginning)
    {
        byte[] program =
        [
            .. Encoding.Latin1.GetBytes(beginning),
            .. new byte[500],
            .. Encoding.UTF8.GetBytes(SqlioText.Run),
            .. new byte[500],
        ];
        var path = File("sqlio.exe", program);
        Fails("IoBench.BinaryFile", IoErrorKind.InvalidData, () => ResultReader.ReadFile(path));
        Assert.Null(ResultReader.Recognise(path));
        File("result.txt", SqlioText.Run);
        Assert.Equal(["result.txt"], ResultFiles.ReadFolder(Folder, recurse: false).Select(file => Path.GetFileName(file.Path)));
    }

    [Fact]
    public void AFolder_gives_the_files_with_results_sorted()
    {
        File("b.log", SqlioText.Run);
        File("a.dat", SqlioText.Run);
        File("notes.txt", "nothing");
        File("picture.png", [0x89, 0x50, 0, 0, 1]);
        File(Path.Combine("sub", "c.txt"), SqlioText.Run);

        Assert.Equal(["a.dat", "b.log"], ResultFiles.ReadFolder(Folder, recurse: false).Select(file => Path.GetFileName(file.Path)));
        Assert.Equal(
            ["a.dat", "b.log", "c.txt"],
            ResultFiles.ReadFolder(Folder, recurse: true).Select(file => Path.GetFileName(file.Path))
        );
    }

    [Theory]
    [InlineData("reads-8k-random-3-files.txt", ResultFormat.Sqlio)]
    [InlineData("write-8k-sequential-BH.txt", ResultFormat.Sqlio)]
    [InlineData("size-matters-fragments.txt", ResultFormat.Sqlio)]
    [InlineData("param.txt", null)]
    [InlineData("diskspd-commands.txt", null)]
    [InlineData("expected-result-table.txt", null)]
    public void Documents_are_recognised_by_content(string file, ResultFormat? format) =>
        Assert.Equal(format, ResultReader.Recognise(Samples.Path("documents", file))?.WrittenAs);

    [Fact]
    public void Each_format_that_is_written_is_recognised()
    {
        var results = SqlioText.Read(SqlioText.Run);
        foreach (var format in (ResultFormat[])[ResultFormat.Json, ResultFormat.Csv, ResultFormat.Sqlio])
        {
            var writer = new StringWriter();
            ResultWriter.Write(writer, results, format);
            var path = File("out", writer.ToString());
            Assert.Equal(format, ResultReader.Recognise(path)?.WrittenAs);
            Assert.Equal(15504.09, Assert.Single(ResultReader.ReadFile(path)).IOPS);
        }
    }
}
