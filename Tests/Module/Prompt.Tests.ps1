BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
    Add-Type -Path (Join-Path $PSScriptRoot 'AskingHost.cs')

    function Invoke-Asked {
        # Runs a line where somebody answers, and gives what came of it: results, errors, questions.
        param([string] $Line, [string[]] $Answer)

        $asking = [AskingHost]::new()
        foreach ($item in $Answer) { $asking.Answers.Enqueue($item) }
        $runspace = [runspacefactory]::CreateRunspace($asking)
        $runspace.Open()
        $shell = [powershell]::Create($runspace)
        try {
            $output = $shell.AddScript("Import-Module '$repository/IoBench.psd1'; $Line").Invoke()
            @{ Output = @($output); Errors = @($shell.Streams.Error); Questions = @($asking.Questions); Left = $asking.Answers.Count; Warnings = @($shell.Streams.Warning) }
        } finally {
            $shell.Dispose()
            $runspace.Dispose()
        }
    }
}

Describe 'Questions' {
    BeforeEach {
        $folder = [System.IO.Directory]::CreateDirectory((Join-Path $TestDrive ([guid]::NewGuid()))).FullName
        $database = Join-Path $folder 'data.mdf'
        $quick = '-FileSize 4MB -Duration 0.1 -WarmUp 0 -WarningAction SilentlyContinue'
        $null = $quick
    }

    Context 'reading a SQL Server file' {
        BeforeEach {
            [System.IO.File]::WriteAllBytes($database, [byte[]]::new(4MB))
        }

        It 'asks, and <Answer> decides' -ForEach @{ Answer = 'Yes'; Count = 1; Errors = 0 }, @{ Answer = 'No'; Count = 0; Errors = 1 } {
            # The second question is about its volume, which is the same server's.
            $run = Invoke-Asked "Invoke-IoTest '$database' $quick" -Answer $Answer, 'Yes'
            $run.Questions[0] | Should -BeLike "*data.mdf*SQL Server file*Read the file anyway*"
            $run.Output.Count | Should -Be $Count
            $run.Errors.Count | Should -Be $Errors
            if ($Errors) { $run.Errors[0].FullyQualifiedErrorId | Should -Be 'IoBench.SqlServerFile,IoBench.PowerShell.InvokeIoTestCommand' }
        }

        It 'does not ask with <Parameter>' -ForEach @{ Parameter = '-ReadDatabase' } {
            $run = Invoke-Asked "Invoke-IoTest '$database' $quick -Confirm:`$false $Parameter"
            $run.Questions | Should -BeNullOrEmpty
            $run.Output.Count | Should -Be 1
        }

        It 'asks with <Parameter>, which allows something else' -ForEach @{ Parameter = '-Force' }, @{ Parameter = '-Confirm:$false' }, @{ Parameter = '-FillVolume' } {
            (Invoke-Asked "Invoke-IoTest '$database' $quick $Parameter" -Answer 'No').Questions[0] | Should -BeLike '*Read the file anyway*'
        }

        It 'does not ask with -WhatIf, and says that a yes is missing' {
            $run = Invoke-Asked "Invoke-IoTest '$database' $quick -WhatIf"
            $run.Questions | Should -BeNullOrEmpty
            $run.Output.Count | Should -Be 0
            $run.Errors[0].ErrorDetails.Message + $run.Errors[0].ErrorDetails.RecommendedAction | Should -Match '-ReadDatabase'
        }

        It 'asks for no write: that is never done' {
            $run = Invoke-Asked "Invoke-IoTest '$database' $quick -WritePercent 100"
            $run.Questions | Should -BeNullOrEmpty
            $run.Errors[0].FullyQualifiedErrorId | Should -Be 'IoBench.SqlServerFile,IoBench.PowerShell.InvokeIoTestCommand'
        }

        It 'is an error where nobody can be asked, and no waiting' {
            (Get-ErrorOf { Invoke-IoTest $database -FileSize 4MB -Duration 0.1 -WarmUp 0 }).FullyQualifiedErrorId | Should -Be 'IoBench.SqlServerFile,IoBench.PowerShell.InvokeIoTestCommand'
        }
    }

    Context 'a volume that SQL Server uses' {
        BeforeEach {
            [System.IO.File]::WriteAllBytes($database, [byte[]]::new(8KB))
        }

        It '<Name> asks, and <Answer> decides' -ForEach @(
            @{ Name = 'a test'; Line = 'Invoke-IoTest'; More = $true; Answer = 'Yes'; Count = 1 }
            @{ Name = 'a test'; Line = 'Invoke-IoTest'; More = $true; Answer = 'No'; Count = 0 }
            @{ Name = 'a search'; Line = 'Measure-IoLimit -MaxLatencyMs 60000 -MaxIops 50 -MaxProbes 5'; More = $true; Answer = 'Yes'; Count = 1 }
            @{ Name = 'a search'; Line = 'Measure-IoLimit -MaxLatencyMs 60000 -MaxIops 50 -MaxProbes 5'; More = $true; Answer = 'Enter'; Count = 0 }
            @{ Name = 'a search for the cause'; Line = 'Find-IoCap -BlockSize 8KB, 64KB -OutstandingIO 4, 16'; More = $true; Answer = 'Yes'; Count = 1 }
            @{ Name = 'a search for the cause'; Line = 'Find-IoCap -BlockSize 8KB, 64KB -OutstandingIO 4, 16'; More = $true; Answer = 'Enter'; Count = 0 }
            @{ Name = 'a new file'; Line = 'New-IoTestFile -FileSize 1MB'; More = $false; Answer = 'Yes'; Count = 1 }
            @{ Name = 'a new file'; Line = 'New-IoTestFile -FileSize 1MB'; More = $false; Answer = 'No'; Count = 0 }
        ) {
            $run = Invoke-Asked "$Line '$folder' $($More ? $quick : '')" -Answer $Answer
            $run.Questions.Count | Should -Be 1
            $run.Questions[0] | Should -BeLike '*SQL Server files are on the volume of*iobench.dat (for example *data.mdf)*'
            $run.Output.Count | Should -Be $Count
            $run.Errors.Count | Should -Be 0
            Test-Path (Join-Path $folder 'iobench.dat') | Should -Be ($Count -eq 1)
        }

        It 'asks once for all paths with Yes to All' {
            $run = Invoke-Asked "Invoke-IoTest '$folder/a.dat', '$folder/b.dat' $quick" -Answer 'Yes to All'
            $run.Questions.Count | Should -Be 1
            $run.Output.Count | Should -Be 2
            $run = Invoke-Asked "Measure-IoLimit '$folder/a.dat', '$folder/b.dat' 60000 -MaxIops 50 -MaxProbes 5 $quick" -Answer 'Yes to All'
            $run.Questions.Count | Should -Be 1
            $run.Output.Count | Should -Be 2
        }

        It 'does not ask with <Parameter>' -ForEach @{ Parameter = '-Confirm:$false' }, @{ Parameter = '-WhatIf' } {
            (Invoke-Asked "Invoke-IoTest '$folder' $quick $Parameter").Questions | Should -BeNullOrEmpty
        }

        It 'is tested with a warning where nobody can be asked: a night job must not hang' {
            $result = Invoke-IoTest $folder -FileSize 4MB -Duration 0.1 -WarmUp 0 -WarningVariable said -WarningAction SilentlyContinue
            $result.Status | Should -Be 'Complete'
            "$said" | Should -Match 'SQL Server files are on the same volume'
        }
    }

    Context 'overwriting' {
        It 'asks for every file that is not IoBench''s: a yes to one is none to the next' {
            foreach ($name in 'a.dat', 'b.dat') { [System.IO.File]::WriteAllBytes((Join-Path $folder $name), [byte[]]::new(4MB)) }
            $run = Invoke-Asked "Invoke-IoTest '$folder/a.dat', '$folder/b.dat' $quick -WritePercent 100" -Answer 'Yes', 'No'
            $run.Questions.Count | Should -Be 2
            $run.Output.Count | Should -Be 1
            $run.Output[0].Path | Should -Be "$folder/a.dat"
            [System.Linq.Enumerable]::SequenceEqual[byte]([System.IO.File]::ReadAllBytes((Join-Path $folder 'b.dat')), [byte[]]::new(4MB)) | Should -BeTrue
        }

        It 'is not answered by -Confirm:$false: it destroys data' {
            [System.IO.File]::WriteAllBytes((Join-Path $folder 'a.dat'), [byte[]]::new(4MB))
            $run = Invoke-Asked "Invoke-IoTest '$folder/a.dat' $quick -WritePercent 100 -Confirm:`$false" -Answer 'No'
            $run.Questions.Count | Should -Be 1
            $run.Output.Count | Should -Be 0
        }

        It 'is asked by Measure-IoLimit too: <Answer>' -ForEach @{ Answer = 'Yes'; Count = 1 }, @{ Answer = 'Enter'; Count = 0 } {
            [System.IO.File]::WriteAllBytes((Join-Path $folder 'a.dat'), [byte[]]::new(4MB))
            $run = Invoke-Asked "Measure-IoLimit '$folder/a.dat' 60000 -MaxIops 50 -MaxProbes 5 $quick -WritePercent 100" -Answer $Answer
            $run.Questions.Count | Should -Be 1
            $run.Output.Count | Should -Be $Count
            [System.Linq.Enumerable]::SequenceEqual[byte]([System.IO.File]::ReadAllBytes((Join-Path $folder 'a.dat')), [byte[]]::new(4MB)) | Should -Be ($Count -eq 0)
        }

        It 'Invoke-IoTest asks before it replaces its output' {
            $file = Join-Path $folder 'r.json'
            Set-Content $file '[]'
            (Invoke-Asked "Invoke-IoTest '$folder' $quick -Backend Null -OutputPath '$file'" -Answer 'No').Output.Count | Should -Be 0
            Get-Content $file | Should -Be '[]'
            (Invoke-Asked "Invoke-IoTest '$folder' $quick -Backend Null -OutputPath '$file'" -Answer 'Yes').Output.Count | Should -Be 1
        }
    }

    It 'that decide about data answer themselves with No when only Enter is pressed' {
        [System.IO.File]::WriteAllBytes((Join-Path $folder 'a.dat'), [byte[]]::new(4MB))
        $run = Invoke-Asked "Invoke-IoTest '$folder/a.dat' $quick -WritePercent 100" -Answer 'Enter'
        $run.Questions.Count | Should -Be 1
        $run.Output.Count | Should -Be 0
        $run = Invoke-Asked "New-IoTestFile '$folder/a.dat' -FileSize 4MB" -Answer 'Enter'
        $run.Questions | Should -BeNullOrEmpty
        $run.Errors[0].FullyQualifiedErrorId | Should -BeLike 'IoBench.ForeignFile,*'
        Set-Content "$folder/r.json" '[]'
        $null = Invoke-Asked "Invoke-IoTest '$folder/n.dat' $quick -Backend Null -OutputPath '$folder/r.json'" -Answer 'Enter'
        Get-Content "$folder/r.json" | Should -Be '[]'
    }

    It 'come from ShouldProcess with -Confirm' {
        $run = Invoke-Asked "Invoke-IoTest '$folder' $quick -Confirm" -Answer 'No'
        $run.Questions[0] | Should -BeLike '*create a test file of 4 MB, run 1 test*'
        Get-ChildItem $folder -Force | Should -BeNullOrEmpty
        $file = (Invoke-Asked "New-IoTestFile '$folder' -FileSize 1MB -Confirm" -Answer 'Yes').Output[0]
        $null = Invoke-Asked "Remove-IoTestFile '$($file.FullName)' -Confirm" -Answer 'No'
        $file.FullName | Should -Exist
        $null = Invoke-Asked "Remove-IoTestFile '$($file.FullName)' -Confirm" -Answer 'Yes'
        $file.FullName | Should -Not -Exist
    }
}
