BeforeDiscovery {
    $repository = Split-Path -Path (Split-Path -Path $PSScriptRoot)
    $commands = (Import-PowerShellDataFile (Join-Path $repository 'IoBench.psd1')).ForEach({ $_.CmdletsToExport })
}

BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
}

Describe 'The module' {
    It 'has a valid manifest' {
        (Test-ModuleManifest (Join-Path $repository 'IoBench.psd1')).Version | Should -Be ([version]'0.1.0')
    }

    It 'exports what the manifest lists and nothing else' {
        $manifest = Import-PowerShellDataFile (Join-Path $repository 'IoBench.psd1')
        $listed = $manifest.CmdletsToExport
        # Functions of Windows PowerShell 5.1 only.
        (Get-Command -Module IoBench -CommandType Function) | Should -BeNullOrEmpty
        (Get-Command -Module IoBench).Name | Sort-Object | Should -Be ($listed | Sort-Object)
        (Get-ChildItem (Join-Path $repository 'Public') -Recurse -File).BaseName | Sort-Object | Should -Be ($listed | Sort-Object)
    }

    It 'names its types in scripts' {
        [IoBench.Engine.IoSize]::Parse('8KB').Bytes | Should -Be 8192
    }

    It 'uses approved verbs: <_>' -ForEach $commands {
        (Get-Verb).Verb | Should -Contain $_.Split('-')[0]
    }

    It 'can be imported twice and again by force' {
        $script = "Import-Module '$repository/IoBench.psd1'; Import-Module '$repository/IoBench.psd1'; Import-Module '$repository/IoBench.psd1' -Force; (Get-IoWorkload page-read).Name"
        pwsh -NoProfile -NonInteractive -Command $script | Should -Be 'page-read'
    }

    It 'can be imported by several runspaces at once' {
        $script = "1..6 | ForEach-Object -ThrottleLimit 6 -Parallel { Import-Module '$repository/IoBench.psd1' -ErrorAction Stop; (Get-IoWorkload page-read).Name }"
        $names = pwsh -NoProfile -NonInteractive -Command $script
        $names | Should -Be (@('page-read') * 6)
    }

    It 'can be imported from a path with blanks and brackets' {
        $folder = [System.IO.Directory]::CreateDirectory((Join-Path $TestDrive 'a module [1] here'))
        foreach ($item in 'IoBench.psd1', 'IoBench.psm1', 'IoBench.Format.ps1xml', 'IoBench.Types.ps1xml', 'Private/*.ps*1') {
            $goal = Join-Path $folder.FullName (Split-Path $item)
            [void][System.IO.Directory]::CreateDirectory($goal)
            foreach ($file in Get-Item (Join-Path $repository $item)) { [System.IO.File]::Copy($file.FullName, (Join-Path $goal $file.Name)) }
        }
        $lib = [System.IO.Directory]::CreateDirectory((Join-Path $folder.FullName 'lib'))
        foreach ($file in Get-ChildItem (Split-Path ([IoBench.Engine.IoSize].Assembly.Location)) -Filter *.dll) { [System.IO.File]::Copy($file.FullName, (Join-Path $lib.FullName $file.Name)) }
        $script = "Set-Location -LiteralPath '$($folder.FullName)'; Import-Module ./IoBench.psd1; (Get-IoWorkload page-read).Name; [IoBench.Engine.IoSize].Assembly.Location"
        $name, $location = pwsh -NoProfile -NonInteractive -Command $script
        $name | Should -Be 'page-read'
        $location | Should -BeLike '*a module [[]1] here*lib*'
    }

    It 'says what to do when its assemblies are missing' {
        $folder = New-Item -ItemType Directory -Path (Join-Path $TestDrive 'empty')
        Copy-Item -Path (Join-Path $repository 'IoBench.psm1') -Destination $folder
        $private = New-Item -ItemType Directory -Path (Join-Path $folder 'Private')
        Copy-Item -Path (Join-Path $repository 'Private' '*.ps*1') -Destination $private
        $problem = pwsh -NoProfile -NonInteractive -Command "`$PSStyle.OutputRendering = 'PlainText'; try { Import-Module '$folder/IoBench.psm1' -ErrorAction Stop } catch { `$_.Exception.Message; `$_.FullyQualifiedErrorId }"
        $problem -join ' ' | Should -BeLike '*The module is incomplete*dotnet build*'
        $problem[-1] | Should -BeLike 'IoBench.ModuleIncomplete,*'
    }

    It 'says of another copy that is imported which one it is, with an id of its own' {
        $folder = [System.IO.Directory]::CreateDirectory((Join-Path $TestDrive 'other')).FullName
        Copy-Item -Path (Join-Path $repository 'IoBench.*') -Include *.ps* -Destination $folder
        Copy-Item -Path (Join-Path $repository 'Private' '*.ps*1') -Destination (New-Item -ItemType Directory -Path (Join-Path $folder 'Private'))
        Copy-Item -Path (Join-Path $repository 'lib' '*.dll') -Destination (New-Item -ItemType Directory -Path (Join-Path $folder 'lib'))
        $text, $id = pwsh -NoProfile -NonInteractive -Command "Import-Module '$repository/IoBench.psd1'; try { Import-Module '$folder/IoBench.psd1' -ErrorAction Stop } catch { `$_.Exception.Message; `$_.FullyQualifiedErrorId }"
        $text | Should -BeLike "IoBench is already imported from $repository*Run Remove-Module IoBench first*"
        $id | Should -BeLike 'IoBench.OtherCopyImported,*'
    }

    It 'asks for PowerShell 7.4 and says so to Windows PowerShell in words it can parse' {
        # With 7.4 there Windows PowerShell would refuse the manifest in its own words, and nobody would read these.
        (Import-PowerShellDataFile (Join-Path $repository 'IoBench.psd1')).PowerShellVersion | Should -Be '5.1'
        $advice = Get-Content -Raw (Join-Path $repository 'Private' 'IoBench.ImportAdvice.ps1')
        $advice | Should -Match 'requires PowerShell 7.4 or later'
        # Windows PowerShell reads a whole file before it runs the check: no operator that it does not know.
        foreach ($text in $advice, (Get-Content -Raw (Join-Path $repository 'IoBench.psm1'))) { $text | Should -Not -Match '\?\?|\?\.|\s\?\s.*\s:\s|&&|\|\|' }
    }

    It 'says to Windows PowerShell where to go, before anything it cannot read' {
        $text = Get-Content -Raw (Join-Path $repository 'Private' 'IoBench.ImportAdvice.ps1')
        $check = [regex]::Match($text, '(?s)if \(\[System\.Environment\]::Version.*?\n\}').Value
        $check | Should -Not -BeNullOrEmpty
        # Windows PowerShell is on .NET Framework, which says 4; PowerShell 7.3 is on .NET 7.
        $check = $check.Replace('$PSVersionTable.PSVersion', "([version]'5.1.19041.5607')")
        { & ([scriptblock]::Create($check)) } | Should -Not -Throw
        { & ([scriptblock]::Create($check.Replace('[System.Environment]::Version', "([version]'7.0.20')"))) } | Should -Throw '*requires PowerShell 7.4 or later*' -ErrorId 'IoBench.PowerShellTooOld'
        { & ([scriptblock]::Create($check.Replace('[System.Environment]::Version', "([version]'4.0.30319.42000')"))) } | Should -Throw '*requires PowerShell 7.4 or later (pwsh)*5.1.19041*CmdExec step with: pwsh*'
        # The import fails there, and what it fails with is not shown: the check is the first thing after it.
        $before = $text.Substring(0, $text.IndexOf('if ([System.Environment]')) -split "`n" -match '^\s*[^#\s]'
        $before.Trim() | Should -Be @('[CmdletBinding()]', 'param(', '[Parameter(Mandatory)] [System.Management.Automation.ErrorRecord] $Problem', ')')
        Get-Content (Join-Path $repository 'IoBench.psm1') | Select-Object -Last 1 | Should -BeLike 'try { Import-Module * } catch { if (*Desktop*) { . "$PSScriptRoot/Private/IoBench.WindowsPowerShell.ps1" } else { & "$PSScriptRoot/Private/IoBench.ImportAdvice.ps1" $_ } }'
    }

    It 'brings no assembly that another module could bring in another version' {
        foreach ($assembly in [IoBench.Engine.IoSize], [IoBench.Formats.ResultReader], [IoBench.Analysis.IoRule], [IoBench.Reports.Report], [IoBench.Application.ResultImporter], [IoBench.PowerShell.IoCmdlet]) {
            $assembly.Assembly.GetReferencedAssemblies().Name | Where-Object { $_ -notmatch '^(System(\..+)?|netstandard|IoBench\..+|Microsoft\.Win32\..+|Microsoft\.CSharp)$' } | Should -BeNullOrEmpty
        }
        Split-Path ([IoBench.Engine.IoSize].Assembly.Location) | Get-ChildItem -Filter *.dll | Select-Object -ExpandProperty Name | Should -BeLike 'IoBench.*'
    }

    It 'works before and after a module with its own workbook library: <_>' -ForEach 'Import-Module ImportExcel; Import-Module IoBench', 'Import-Module IoBench; Import-Module ImportExcel' -Skip:($null -eq (Get-Module -ListAvailable ImportExcel)) -Tag 'needs the module ImportExcel' {
        $order = $_.Replace('Import-Module IoBench', "Import-Module '$repository/IoBench.psd1'").Replace('Import-Module ImportExcel', 'Import-Module ImportExcel -WarningAction Ignore 3>$null')
        $book = Join-Path $TestDrive 'order.xlsx'
        $sheets = pwsh -NoProfile -NonInteractive -Command "$order; Import-IoResult '$samples/documents/write-8k-sequential-BN.txt' | Export-IoReport '$book' -Force; (Get-ExcelSheetInfo '$book').Name"
        $sheets | Should -Contain 'Results'
    }

    It 'has no script but its loader, what that says where it fails, and the commands of Windows PowerShell' {
        Get-ChildItem (Join-Path $repository 'Public'), (Join-Path $repository 'Private') -Recurse -Filter *.ps1 | Select-Object -ExpandProperty Name | Sort-Object | Should -Be 'IoBench.ImportAdvice.ps1', 'IoBench.WindowsPowerShell.ps1'
    }
}

Describe 'Sizes and durations as people write them' {
    It 'reads size <Given> as <Bytes> bytes' -ForEach @(
        @{ Given = 20GB; Bytes = 21474836480 }
        @{ Given = '20GB'; Bytes = 21474836480 }
        @{ Given = 1.5GB; Bytes = 1610612736 }
        @{ Given = '8K'; Bytes = 8192 }
        @{ Given = 8192; Bytes = 8192 }
        @{ Given = [long]8192; Bytes = 8192 }
    ) {
        $specification = Invoke-Command { param([IoBench.Engine.IoSize[]] $Size) $Size } -ArgumentList (, @($Given))
        $specification[0].Bytes | Should -Be $Bytes
    }

    It 'reads duration <Given> as <Seconds> s' -ForEach @(
        @{ Given = 30; Seconds = 30 }
        @{ Given = '30'; Seconds = 30 }
        @{ Given = '90s'; Seconds = 90 }
        @{ Given = '5m'; Seconds = 300 }
        @{ Given = 1.5; Seconds = 1.5 }
        @{ Given = '00:05:00'; Seconds = 300 }
        @{ Given = [timespan]::FromMinutes(2); Seconds = 120 }
    ) {
        $duration = & { param([IoBench.Engine.IoDuration] $Duration) $Duration } $Given
        $duration.TotalSeconds | Should -Be $Seconds
    }

    It 'says what a size is to one that is none' {
        { Invoke-IoTest -Path $TestDrive -FileSize abc -WhatIf } | Should -Throw "*'abc' is not a size. Specify bytes, or a number with K, M, G, or T*"
    }

    It 'says what a duration is to one that is none' {
        { Invoke-IoTest -Path $TestDrive -Duration soon -WhatIf } | Should -Throw "*'soon' is not a duration. Specify seconds, or a number with s, m, or h*"
    }
}
