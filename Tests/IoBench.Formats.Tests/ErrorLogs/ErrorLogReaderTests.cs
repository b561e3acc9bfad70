using System.Text;
using IoBench.Engine;

namespace IoBench.Formats.Tests;

public class ErrorLogReaderTests : CreatedFolderTestBase
{
    private const string Prefix = "2026-11-28 02:12:36.12 spid5s      ";

    /// <summary>Error 833 in the languages of SQL Server, as in its documentation: {0} count, {1} database, {2} path.</summary>
    public static TheoryData<string, string> LongIOTexts { get; } =
        new()
        {
            {
                "en",
                "SQL Server has encountered {0} occurrence(s) of I/O requests taking longer than 15 seconds to complete on file [{2}] in database [{1}] (5).  The OS file handle is 0x00000000000074D4.  The offset of the latest long I/O is: 0x000000c5a00000."
            },
            {
                "de",
                "Bei {0} E/A-Anforderungen von SQL Server wurden mehr als 15 Sekunden zum Abschließen des Vorgangs für die Datei [{2}] in der Datenbank [{1}] (5) benötigt. Das Dateihandle des Betriebssystems lautet 0x00000000000074D4. Der Offset des letzten langen E/A-Vorgangs lautet: 0x000000c5a00000."
            },
            {
                "es",
                "SQL Server ha detectado {0} instancias de solicitudes de E/S que están tardando más de 15 segundos en completarse en el archivo [{2}] de la base de datos [{1}] (5).  El identificador de archivo del SO es 0x00000000000074D4.  El desplazamiento de la operación de E/S más reciente y más larga es: 0x000000c5a00000."
            },
            {
                "fr",
                "SQL Server a rencontré {0} occurrence(s) de requêtes d'E/S mettant plus de 15 secondes à s'effectuer dans le fichier [{2}] de la base de données [{1}] (5). Le descripteur de fichier du système d'exploitation est 0x00000000000074D4. Le décalage de la dernière E/S longue est : 0x000000c5a00000."
            },
            {
                "it",
                "Rilevate {0} occorrenze di richieste di I/O che impiegano più di 15 secondi per essere completate nel file [{2}] nel database [{1}] (5).  L'handle di file del sistema operativo è 0x00000000000074D4.  Offset dell'ultimo I/O lungo: 0x000000c5a00000."
            },
            {
                "ja",
                "SQL Server は、データベース [{1}] (5) のファイル [{2}] で、完了に 15 秒以上かかった I/O 要求を {0} 個検出しました。 OS ファイル ハンドルは 0x00000000000074D4 です。 最新の実行時間の長い I/O のオフセットは 0x000000c5a00000 です。"
            },
            {
                "ko",
                "SQL Server에서 데이터베이스 [{1}] (5)의 파일 [{2}]에서 완료하는 데 15초보다 오래 걸리는 I/O 요청이 {0}개 발생했습니다. OS 파일 핸들은 0x00000000000074D4입니다. 가장 최근의 시간 초과 I/O의 오프셋은 0x000000c5a00000입니다."
            },
            {
                "pt-BR",
                "O SQL Server encontrou {0} ocorrências de solicitações de E/S demorando mais do que 15 segundos para serem concluídas no arquivo [{2}] no banco de dados [{1}] (5).  O identificador de arquivo do SO é 0x00000000000074D4.  O deslocamento da E/S mais demorada é: 0x000000c5a00000."
            },
            {
                "ru",
                "SQL Server обнаружил запросы ввода-вывода ({0}), занявшие более 15 с, для завершения обработки файла [{2}] в базе данных [{1}] (5). Дескриптором файла ОС является 0x00000000000074D4. Смещение последней длительной операции ввода-вывода: 0x000000c5a00000."
            },
            {
                "zh-CN",
                "SQL Server 已 {0} 次遇到了针对数据库 [{1}] (5) 中文件 [{2}] 的、所需完成时间超过 15 秒的 I/O 请求。 OS 文件句柄是 0x00000000000074D4。 最新的长时间 I/O 操作的偏移量是: 0x000000c5a00000。"
            },
            {
                "zh-TW",
                "在資料庫中 [{1}] (5)的檔案 [{2}] 上，SQL Server 發現 I/O 要求的 {0} 發生時間超過 15 秒才能完成。 作業系統檔案控制代碼為 0x00000000000074D4。 最新長 I/O 的位移為: 0x000000c5a00000。"
            },
        };

    [Theory]
    [MemberData(nameof(LongIOTexts))]
    public void Error_833_is_recognized_in_every_language(string language, string text)
    {
        foreach (var count in new long[] { 1, 15, 1016 })
        foreach (var path in new[] { @"E:\SEDATA\stressdb5.ndf", @"\\nas\sql\a [1] (2).mdf", "/var/opt/mssql/data/0x0000.ldf" })
        {
            var item = Assert.Single(ReadText(Prefix + string.Format(null, text, count, "stress db 7", path)));
            Assert.Equal(ErrorLogEventKind.LongIO, item.Kind);
            Assert.Equal((count, path, "stress db 7", 5), (item.Observations, item.Path, item.Database, item.DatabaseId));
            Assert.Equal((0xc5a00000, null), (item.Offset, item.DurationMs));
            Assert.Equal(new DateTime(2026, 11, 28, 2, 12, 36, 120), item.Time);
            Assert.Equal(DateTimeKind.Unspecified, item.Time.Kind);
            Assert.Equal("spid5s", item.Process);
        }
        Assert.NotEmpty(language);
    }

    [Fact]
    public void Error_833_of_newer_versions_has_an_id_and_a_duration()
    {
        var item = Assert.Single(
            ReadText(
                """
                2021-02-23 20:49:54.64 spid12s     SQL Server has encountered 3 occurrence(s) of I/O requests taking longer than 15 seconds to complete on file [C:\Program Files\Microsoft SQL Server\MSSQL15.MSSQLSERVER\MSSQL\DATA\agdb_log.ldf] in database id 12.  The OS file handle is 0x0000000000001594.  The offset of the latest long I/O is: 0x000030435b0000.  The duration of the long I/O is: 26728 ms.
                """
            )
        );
        Assert.Equal((3, 12, null, 26728.0), (item.Observations, item.DatabaseId, item.Database, item.DurationMs));
        Assert.EndsWith("agdb_log.ldf", item.Path);
    }

    [Theory]
    [InlineData("3 x 15 [D:\\a.mdf] 12.", 3, 12)]
    [InlineData("15 x 15 [D:\\a.mdf] 15.", 15, 15)]
    [InlineData("3 x 12 [D:\\a.mdf] 15 ", 3, 12)]
    [InlineData("12 [D:\\a.mdf] x 15 y 3 z", 3, 12)]
    public void Count_of_a_message_with_a_database_id_depends_on_the_order(string numbers, long count, int id)
    {
        var item = Assert.Single(ReadText($"{Prefix}{numbers} I/O 0x0000000000001594 y 0x000030435b0000. 26728ms"));
        Assert.Equal((count, id, 26728.0), (item.Observations, item.DatabaseId, item.DurationMs));
    }

    [Theory]
    [InlineData(
        "SQL Server has encountered 3 occurrence(s) of I/O requests taking longer than 15 seconds to complete on file [E:\\a.m",
        true
    )]
    [InlineData(
        "SQL Server has encountered 2147483648 occurrence(s) of I/O requests taking longer than 15 seconds to complete on file [E:\\a.mdf] in database id 5.  The OS file handle is 0x0000000000001594.  The offset of the latest long I/O is: 0x000030435b0000.",
        true
    )]
    [InlineData("Using 'dbghelp.dll' version '4.0.5' [C:\\x\\dump.mdmp] 0x00000000 0x00000001", false)]
    [InlineData("Process 15 [D:\\a.mdf] in [db] (5) waits for 30 at 0x0000000000001594 and 0x000030435b0000", false)]
    [InlineData("Login failed for user 'I/O requests taking longer than 15 seconds'. [CLIENT: 10.0.0.1]", false)]
    [InlineData("Error: 8232, Severity: 24, State: 2.", false)]
    [InlineData("Error: 823, Severity: 16, State: 2.", false)]
    [InlineData("Database backed up: 823, 24, 2 pages", false)]
    [InlineData("I/O is frozen on database", false)]
    [InlineData("FlushCache: cleaned up dirty pages from buffer pool", true)]
    [InlineData("There have been many misaligned log IOs which required falling back to synchronous IO.", false)]
    public void Other_and_truncated_messages_are_not_events(string text, bool isIncomplete)
    {
        var reader = CreateReader(Prefix + text + "\n" + Prefix + "Recovery is complete.\n");
        Assert.Empty(reader.ReadEvents());
        Assert.Equal((isIncomplete ? 1 : 0, isIncomplete ? 1 : 0), (reader.IncompleteCount, reader.FirstIncompleteLine));
        Assert.Equal(2, reader.MessageCount);
    }

    [Theory]
    [InlineData(
        "Error: 823, Severity: 24, State: 2.",
        @"The operating system returned error 1117(The request could not be performed because of an I/O device error.) to SQL Server during a read at offset 0x0000002d460000 in file 'e:\program files\Microsoft SQL Server\mssql\data\O'Brien.MDF'. Additional messages in the SQL Server error log and operating system error log may provide more detail. Complete a full database consistency check (DBCC CHECKDB).",
        IoOperation.Read
    )]
    [InlineData(
        "Fehler: 823, Schweregrad: 24, Status: 2.",
        @"Das Betriebssystem hat während eines Schreibvorgangs bei Offset 0x0000002d460000 in der Datei 'e:\program files\Microsoft SQL Server\mssql\data\O'Brien.MDF' den Fehler '1117(The request could not be performed because of an I/O device error.)' an SQL Server zurückgegeben.",
        IoOperation.Write
    )]
    [InlineData(
        "Erreur : 823, Gravité : 24, État : 2.",
        @"Le système d'exploitation a retourné l'erreur 1117(The request could not be performed because of an I/O device error.) à SQL Server pendant une opération de lecture au niveau du décalage 0x0000002d460000 dans le fichier 'e:\program files\Microsoft SQL Server\mssql\data\O'Brien.MDF'. D'autres messages peuvent fournir davantage d'informations.",
        IoOperation.Read
    )]
    [InlineData(
        "Ошибка: 823, серьезность: 24, состояние: 2.",
        @"Операционная система возвратила ошибку 1117(The request could not be performed because of an I/O device error.) в SQL Server при записи в смещении 0x0000002d460000 файла «e:\program files\Microsoft SQL Server\mssql\data\O'Brien.MDF».",
        IoOperation.Write
    )]
    [InlineData(
        "エラー: 823、重大度: 24、状態: 2。",
        @"オペレーティング システムにより、ファイル 'e:\program files\Microsoft SQL Server\mssql\data\O'Brien.MDF' のオフセット 0x0000002d460000 で 読み取り 中の SQL Server にエラー 1117(The request could not be performed because of an I/O device error.) が返されました。",
        IoOperation.Read
    )]
    [InlineData(
        "错误: 823，严重性: 24，状态: 2。",
        @"在文件 'e:\program files\Microsoft SQL Server\mssql\data\O'Brien.MDF' 中、偏移量为 0x0000002d460000 的位置执行 写入 期间，操作系统已经向 SQL Server 返回了错误 1117(The request could not be performed because of an I/O device error.)。",
        IoOperation.Write
    )]
    public void Error_823_names_file_offset_and_system_error(string header, string text, IoOperation operation)
    {
        var item = Assert.Single(ReadText(Prefix + header + "\n" + Prefix + text));
        Assert.Equal(ErrorLogEventKind.IOError, item.Kind);
        Assert.Equal(@"e:\program files\Microsoft SQL Server\mssql\data\O'Brien.MDF", item.Path);
        Assert.Equal((0x2d460000, 1117, operation, null), (item.Offset, item.OSError, item.Operation, item.Page));
        Assert.Equal("The request could not be performed because of an I/O device error.", item.Detail);
    }

    [Theory]
    [InlineData(
        "Error: 824, Severity: 24, State: 2.",
        @"SQL Server detected a logical consistency-based I/O error: incorrect checksum (expected: 0x9a3e399c; actual: 0x9a14b99d). It occurred during a read of page (1:57) in database ID 7 at offset 0x00000000072000 in file 'D:\data\x.mdf'.  Additional messages in the SQL Server error log or operating system error log may provide more detail."
    )]
    [InlineData(
        "Errore: 824, gravità: 24, stato: 2.",
        @"SQL Server ha rilevato un errore di I/O logico legato alla consistenza. Errore incorrect checksum (expected: 0x9a3e399c; actual: 0x9a14b99d) durante un'operazione di lettura della pagina (1:57) nel database con ID 7 all'offset 0x00000000072000 nel file 'D:\data\x.mdf'.  Per informazioni più dettagliate, vedere i messaggi aggiuntivi."
    )]
    [InlineData(
        "오류: 824, 심각도: 24, 상태: 2.",
        @"SQL Server에서 일관성 기반의 논리적인 I/O 오류가 검색되었습니다. incorrect checksum (expected: 0x9a3e399c; actual: 0x9a14b99d). 파일 'D:\data\x.mdf'의 오프셋 0x00000000072000에서 데이터베이스 ID 7에 있는 페이지 (1:57)의 읽기 중 이 오류가 발생했습니다."
    )]
    public void Error_824_names_page_database_and_reason(string header, string text)
    {
        var item = Assert.Single(ReadText(Prefix + header + "\n" + Prefix + text));
        Assert.Equal(ErrorLogEventKind.InvalidPage, item.Kind);
        Assert.Equal((@"D:\data\x.mdf", 0x72000, "1:57", 7), (item.Path, item.Offset, item.Page, item.DatabaseId));
        Assert.Equal((IoOperation.Read, "incorrect checksum (expected: 0x9a3e399c; actual: 0x9a14b99d)"), (item.Operation, item.Detail));
        Assert.Null(item.OSError);
    }

    [Theory]
    [InlineData("incorrect pageid (expected 1:29669944; actual 0:0)", null, "incorrect pageid (expected 1:29669944; actual 0:0)")]
    [InlineData("121(The semaphore timeout period has expired.)", 121, "The semaphore timeout period has expired.")]
    public void Error_825_names_the_failed_attempts(string reason, int? code, string detail)
    {
        var item = Assert.Single(
            ReadText(
                $"""
                {Prefix}Error: 825, Severity: 10, State: 2.
                {Prefix}A read of the file 'D:\data\x.mdf' at offset 0x00000000072000 succeeded after failing 3 time(s) with error: {reason}. Additional messages in the SQL Server error log and operating system error log may provide more detail. For more information, see https://go.microsoft.com/fwlink/?linkid=2252374.
                """
            )
        );
        Assert.Equal((ErrorLogEventKind.ReadRetry, 3, code, detail), (item.Kind, item.FailedAttempts, item.OSError, item.Detail));
        Assert.Equal((@"D:\data\x.mdf", 0x72000, IoOperation.Read), (item.Path, item.Offset, item.Operation));
    }

    [Fact]
    public void Error_whose_text_is_missing_is_an_event_without_a_file()
    {
        var reader = CreateReader($"{Prefix}Error: 823, Severity: 24, State: 2.\n{Prefix}Recovery is complete.\n");
        var item = Assert.Single(reader.ReadEvents());
        Assert.Equal((ErrorLogEventKind.IOError, null, null), (item.Kind, item.Path, item.Offset));
        Assert.Equal((1, 1), (reader.IncompleteCount, reader.FirstIncompleteLine));
    }

    [Fact]
    public void Messages_of_other_processes_do_not_separate_an_error()
    {
        var items = ReadText(
            """
            2026-11-28 02:12:36.12 spid51      Error: 824, Severity: 24, State: 2.
            2026-11-28 02:12:36.12 spid52      Error: 825, Severity: 10, State: 2.
            2026-11-28 02:12:36.12 spid53      Starting up database 'x'.
            2026-11-28 02:12:36.13 spid51      SQL Server detected a logical consistency-based I/O error: torn page (expected signature: 0x55555555; actual signature: 0x55565555). It occurred during a read of page (1:9) in database ID 7 at offset 0x00000000012000 in file 'D:\one.mdf'.
            2026-11-28 02:12:36.13 spid52      A read of the file 'D:\two.mdf' at offset 0x00000000072000 succeeded after failing 1 time(s) with error: incorrect checksum (expected: 0xad4c6778; actual: 0xad4c6778).
            """
        );
        Assert.Equal([@"D:\one.mdf", @"D:\two.mdf"], items.Select(item => item.Path));
        Assert.Equal([ErrorLogEventKind.InvalidPage, ErrorLogEventKind.ReadRetry], items.Select(item => item.Kind));
    }

    [Fact]
    public void Misaligned_writes_freezes_and_resumes_are_recognized()
    {
        var items = ReadText(
            """
            2021-11-05 23:42:47.14 spid9s      There have been 256 misaligned log IOs which required falling back to synchronous IO.  The current IO is on file C:\Program Files\Microsoft SQL Server\MSSQL15.MSSQLSERVER\MSSQL\DATA\a.b_log.ldf.
            2014-01-27 09:35:15.43 spid71      I/O is frozen on database my.db. No user action is required. However, if I/O is not resumed promptly, you could cancel the backup.
            2014-01-27 09:35:17.93 spid71      I/O was resumed on database my.db. No user action is required.
            """
        );
        Assert.Equal(
            (256, @"C:\Program Files\Microsoft SQL Server\MSSQL15.MSSQLSERVER\MSSQL\DATA\a.b_log.ldf"),
            (items[0].MisalignedIOs, items[0].Path)
        );
        Assert.Equal(
            [ErrorLogEventKind.MisalignedLogIO, ErrorLogEventKind.IOFrozen, ErrorLogEventKind.IOResumed],
            items.Select(item => item.Kind)
        );
        Assert.Equal(["my.db", "my.db"], items.Skip(1).Select(item => item.Database));
    }

    [Theory]
    [InlineData("2013-05-30 02:01:56.31 spid14s     ")]
    [InlineData("")]
    public void Slow_flush_has_the_values_of_its_following_lines(string prefix)
    {
        var item = Assert.Single(
            ReadText(
                $"""
                2013-05-30 02:01:56.31 spid14s     FlushCache: cleaned up 52349 bufs with 43217 writes in 75027 ms (avoided 6322 new dirty bufs) for db 6:0
                {prefix}            average writes per second: 576.02 writes/sec
                {prefix}            average throughput:   5.45 MB/sec, I/O saturation: 77741, context switches 79352
                {prefix}            last target outstanding: 23904, avgWriteLatency 13
                """
            )
        );
        Assert.Equal(
            (52349, 43217, 75027.0, 6322, 6),
            (item.FlushedPages, item.FlushWrites, item.DurationMs, item.NewDirtyPages, item.DatabaseId)
        );
        Assert.Equal(
            (5.45, 77741, 79352, 23904, 13.0),
            (item.MBps, item.IOSaturation, item.ContextSwitches, item.LastTargetOutstanding, item.AverageWriteMs)
        );
    }

    [Fact]
    public void Buffers_of_a_backup_are_one_event()
    {
        var item = Assert.Single(
            ReadText(
                """
                2014-09-10 18:10:49.04 spid51      Backup(backuptest): The backup media set is open
                2014-09-10 18:10:49.04 spid51      Backup/Restore buffer configuration parameters
                2014-09-10 18:10:49.04 spid51      Memory limit:               2300 MB
                2014-09-10 18:10:49.04 spid51      BufferCount:                7
                2014-09-10 18:10:49.04 spid51      Sets Of Buffers:            3
                2014-09-10 18:10:49.04 spid51      MaxTransferSize:            1024 KB
                2014-09-10 18:10:49.04 spid51      Min MaxTransferSize:        64 KB
                2014-09-10 18:10:49.04 spid51      Total buffer space:         21 MB
                2014-09-10 18:10:49.04 spid51      Filesystem i/o alignment:   512
                2014-09-10 18:10:49.04 spid51      Media Buffer count:         9
                2014-09-10 18:10:49.04 spid51      Backup(backuptest): Preparing the media set for writing
                2014-09-10 18:10:49.05 spid51      Backup(backuptest): Effective options: Checksum=1, Compression=1, Encryption=0, BufferCount=7, MaxTransferSize=1024 KB
                2014-09-10 18:10:53.05 spid51      Backup(backuptest): Writing a checkpoint
                """
            )
        );
        Assert.Equal((2300.0, 7, 1024.0, 21.0), (item.MemoryLimitMB, item.BufferCount, item.MaxTransferSizeKB, item.TotalBufferMB));
        Assert.Equal((ErrorLogEventKind.BackupBuffers, "backuptest"), (item.Kind, item.Database));
    }

    [Fact]
    public void Old_versions_write_the_memory_limit_first()
    {
        var item = Assert.Single(
            ReadText(
                $"{Prefix}Memory limit: 249MB\n{Prefix}Buffer count:               7\n{Prefix}Max transfer size:          1024 KB\n{Prefix}x"
            )
        );
        Assert.Equal((249.0, 7, 1024.0), (item.MemoryLimitMB, item.BufferCount, item.MaxTransferSizeKB));
    }

    public static TheoryData<string, bool> Encodings { get; } =
        new()
        {
            { "utf-16", true },
            { "utf-16", false },
            { "utf-16BE", true },
            { "utf-16BE", false },
            { "utf-8", true },
            { "utf-8", false },
            { "latin1", false },
        };

    [Theory]
    [MemberData(nameof(Encodings))]
    public void Log_is_read_in_each_encoding(string name, bool hasMark)
    {
        var encoding = Encoding.GetEncoding(name);
        foreach (var data in LongIOTexts)
        {
            var language = (string)data[0];
            if (name == "latin1" && language is "ru" or "ja" or "ko" or "zh-CN" or "zh-TW")
                continue;
            var text = Prefix + string.Format(null, (string)data[1], 7, "dbä", @"E:\ä.mdf") + "\r\n" + Prefix + "x\r\n";
            var path = Path.Combine(Folder, $"ERRORLOG.{language}");
            File.WriteAllBytes(path, [.. hasMark ? encoding.GetPreamble() : [], .. encoding.GetBytes(text)]);
            var item = Assert.Single(new ErrorLogReader(path).ReadEvents());
            Assert.Equal((7, @"E:\ä.mdf", "dbä"), (item.Observations, item.Path, item.Database));
            Assert.Equal(new DateTime(2026, 11, 28, 2, 12, 36, 120), ErrorLogReader.ReadFirstTime(path));
        }
    }

    [Theory]
    [InlineData(50)]
    [InlineData(80)]
    [InlineData(133)]
    [InlineData(4100)]
    public void Log_that_sqlcmd_wrapped_is_read(int width)
    {
        string[] rows =
        [
            "LogDate                 ProcessInfo  Text",
            "----------------------- ------------ " + new string('-', 4000),
            .. LongIOTexts.Select(data => Prefix + string.Format(null, (string)data[1], 1016, "stress db 7", @"E:\SEDATA\stressdb5.ndf")),
            Prefix
                + "SQL Server has encountered 3 occurrence(s) of I/O requests taking longer than 15 seconds to complete on file [E:\\a.mdf] in database id 12.  The OS file handle is 0x0000000000001594.  The offset of the latest long I/O is: 0x000030435b0000.  The duration of the long I/O is: 26728 ms.",
        ];
        var lines = rows.SelectMany(row => row.PadRight(4037).Chunk(width).Select(part => new string(part)));
        var reader = CreateReader(string.Join("\r\n", lines) + "\r\n\r\n(12 rows affected)\r\n");
        var items = reader.ReadEvents().ToList();
        Assert.Equal(0, reader.IncompleteCount);
        Assert.Equal(12, items.Count);
        Assert.All(
            items.SkipLast(1),
            item =>
                Assert.Equal(
                    (1016, @"E:\SEDATA\stressdb5.ndf", "stress db 7", 0xc5a00000, null),
                    (item.Observations, item.Path, item.Database, item.Offset, item.DurationMs)
                )
        );
        Assert.Equal((3, 12, 26728.0), (items[^1].Observations, items[^1].DatabaseId, items[^1].DurationMs));
    }

    [Fact]
    public void Error_833_wrapped_by_an_editor_is_incomplete()
    {
        foreach (var data in LongIOTexts)
        {
            var text = string.Format(null, (string)data[1], 1016, "stress db 7", @"E:\SEDATA\stressdb5.ndf");
            for (var width = 1; width < text.Length; width++)
            {
                var items = ReadText(Prefix + text[..width] + "\n" + text[width..] + "\n");
                Assert.All(
                    items,
                    item =>
                        Assert.Equal(
                            (1016, @"E:\SEDATA\stressdb5.ndf", 0xc5a00000, null),
                            (item.Observations, item.Path, item.Offset, item.DurationMs)
                        )
                );
            }
        }
    }

    [Fact]
    public void Lines_of_other_tools_after_error_833_are_ignored()
    {
        var text = Prefix + string.Format(null, (string)LongIOTexts.First()[1], 7, "db", @"E:\a.mdf");
        Assert.Null(Assert.Single(ReadText(text + "\n\n(1 rows affected)\n")).DurationMs);
        var withDuration = text + "  The duration of the long I/O is: 26728 ms.";
        Assert.Equal(26728.0, Assert.Single(ReadText(withDuration + "\n\n(1 rows affected)\n")).DurationMs);
        Assert.Null(Assert.Single(ReadText(withDuration[..^6])).DurationMs);
    }

    [Theory]
    [InlineData("")]
    [InlineData("Hello\nworld\n")]
    [InlineData("\0\u0001\u0002\0\0binary")]
    [InlineData("2026-11-28 02:12:36 - ? [100] Microsoft SQLServerAgent version 16.0\n")]
    [InlineData("2026-11-28 02:12:36 INFO started\n2026-11-28 02:12:37 WARN x\n")]
    [InlineData("2026-13-28 02:12:36.12 spid5s      Starting up database 'x'.\n")]
    public void File_of_another_kind_is_an_error(string text)
    {
        var reader = CreateReader(text);
        var error = Assert.Throws<IoBenchException>(() => reader.ReadEvents().ToList());
        Assert.Equal("IoBench.NotAnErrorLog", error.ErrorId);
    }

    [Fact]
    public void Large_file_of_another_kind_ends_early()
    {
        var path = Path.Combine(Folder, "other.log");
        File.WriteAllLines(path, Enumerable.Repeat("some text", 300_000));
        var error = Assert.Throws<IoBenchException>(() => new ErrorLogReader(path).ReadEvents().ToList());
        Assert.Equal("IoBench.NotAnErrorLog", error.ErrorId);
    }

    [Fact]
    public void Text_before_the_first_message_and_long_messages_are_ignored()
    {
        var reader = CreateReader(
            string.Format(null, (string)LongIOTexts.First()[1], 1, "x", @"E:\a.mdf")
                + "\n"
                + Prefix
                + new string('x', 100_000)
                + "\n"
                + string.Concat(Enumerable.Repeat("dump line\n", 5000))
                + Prefix
                + string.Format(null, (string)LongIOTexts.First()[1], 2, "x", @"E:\b.mdf")
        );
        Assert.Equal(@"E:\b.mdf", Assert.Single(reader.ReadEvents()).Path);
        Assert.Equal(2, reader.MessageCount);
    }

    [Fact]
    public void Every_prefix_and_mutation_of_a_log_is_read_without_another_error()
    {
        var text = string.Join(
            "\n",
            LongIOTexts
                .Select(data => Prefix + string.Format(null, (string)data[1], 7, "db", @"E:\a.mdf"))
                .Append(Prefix + "Error: 823, Severity: 24, State: 2.")
                .Append(
                    Prefix
                        + @"The operating system returned error 21(The device is not ready.) to SQL Server during a write at offset 0x0000002d460000 in file 'e:\x.mdf'."
                )
                .Append(Prefix + "FlushCache: cleaned up 5 bufs with 4 writes in 75027 ms (avoided 6 new dirty bufs) for db 6:0")
                .Append(Prefix + "            last target outstanding: 23904, avgWriteLatency 13")
        );
        var random = new Random(7);
        for (var i = 0; i < 400; i++)
        {
            var bytes = Encoding.Unicode.GetBytes(text[..random.Next(text.Length)]);
            for (var change = random.Next(20); change > 0 && bytes.Length > 0; change--)
                bytes[random.Next(bytes.Length)] = (byte)random.Next(256);
            var path = Path.Combine(Folder, "ERRORLOG");
            File.WriteAllBytes(path, bytes);
            try
            {
                Assert.All(new ErrorLogReader(path).ReadEvents().ToList(), item => Assert.InRange(item.SourceLine, 1, 1000));
            }
            catch (IoBenchException error)
            {
                Assert.Equal("IoBench.NotAnErrorLog", error.ErrorId);
            }
        }
    }

    [Fact]
    public void Reading_stops_when_it_is_canceled()
    {
        var path = Path.Combine(Folder, "ERRORLOG");
        File.WriteAllLines(path, Enumerable.Repeat(Prefix + "Starting up database 'x'.", 5000));
        using var source = new CancellationTokenSource();
        source.Cancel();
        Assert.Throws<OperationCanceledException>(() => new ErrorLogReader(path).ReadEvents(source.Token).ToList());
    }

    private List<ErrorLogEvent> ReadText(string text) => [.. CreateReader(text).ReadEvents()];

    private ErrorLogReader CreateReader(string text)
    {
        var path = Path.Combine(Folder, "ERRORLOG");
        File.WriteAllText(path, text);
        return new ErrorLogReader(path);
    }
}
